import pg from 'pg';
/** After these a session is of no further use: read-only, a failed transaction left open, shut down. */
const UNFIT = /^(25006|25P02|25P03|57P0\d|08)/;
/** What pg says, without a code, when there was no answer in time: one may come to the next question. */
const NO_ANSWER = 'Query read timeout';
/**
 * A client that ends itself when its session became unfit, so that the pool replaces it; a demoted
 * primary or a leaked transaction would otherwise be handed to request after request.
 */
export class EvictingClient extends pg.Client {
    constructor(config) {
        super(config);
        // Without a listener a broken connection between two uses would end the process.
        this.on('error', () => undefined);
        const query = this.query.bind(this);
        this.query = ((...args) => {
            const result = query(...args);
            if (result instanceof Promise)
                result.catch((error) => this.judge(error));
            return result;
        });
    }
    judge(error) {
        const { code, message } = error;
        if ((typeof code === 'string' && UNFIT.test(code)) || message === NO_ANSWER)
            this.end().catch(() => undefined);
    }
}
//# sourceMappingURL=evicting-client.js.map