import { unavailable } from '../errors/refusals.js';
/** Lets a few at a time work; the others wait in the order in which they came, within limits. */
export class Slots {
    limits;
    free;
    waiting = new Set();
    constructor(limits) {
        this.limits = limits;
        this.free = limits.atOnce;
    }
    /**
     * Does the work when it is its turn.
     * @throws Refusal 503 at once when too many wait, or after having waited too long
     */
    async take(work) {
        await this.enter();
        try {
            return await work();
        }
        finally {
            this.leave();
        }
    }
    async enter() {
        if (this.free > 0) {
            this.free--;
            return;
        }
        if (this.waiting.size >= this.limits.waiting)
            throw unavailable();
        await new Promise((resolve, reject) => {
            const turn = () => {
                clearTimeout(timer);
                resolve();
            };
            const timer = setTimeout(() => {
                this.waiting.delete(turn);
                reject(unavailable());
            }, this.limits.patience);
            this.waiting.add(turn);
        });
    }
    /** The slot goes to whoever waits longest, without being free in between. */
    leave() {
        const [next] = this.waiting;
        if (!next) {
            this.free++;
            return;
        }
        this.waiting.delete(next);
        next();
    }
}
//# sourceMappingURL=slots.js.map