import { randomUUID } from 'node:crypto';
import { pinoHttp } from 'pino-http';
/** A request id that somebody before us gave; anything else could forge lines of the log. */
const REQUEST_ID = /^[\w.-]{8,128}$/;
/** The id of a request: the given one when it is safe, else a new one; it goes into the answer. */
export function giveRequestId(request, response) {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', id);
    return id;
}
/**
 * One line a request, and X-Request-Id on every answer. Never the query: it holds the token of the
 * navigation and search interfaces, and what people search for.
 */
export const requestLog = (logger) => pinoHttp({
    logger,
    genReqId: giveRequestId,
    serializers: {
        req: ({ id, method, url }) => ({
            id,
            method,
            path: url.split('?')[0],
        }),
        res: ({ statusCode }) => ({ status: statusCode }),
        // The filter tells the cause; this would be the stack of the logger itself.
        err: () => undefined,
    },
    customLogLevel: (_request, { statusCode }) => statusCode === 503 ? 'warn' : statusCode >= 500 ? 'error' : 'info',
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request failed',
});
//# sourceMappingURL=request-log.js.map