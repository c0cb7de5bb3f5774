import { randomUUID } from 'node:crypto';
import { presentRefusal } from '../errors/answer-refusal.js';
import { headersTooLarge, invalid, methodNotAllowed, requestTimeout, } from '../errors/refusals.js';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Status texts of what is answered here. */
const REASONS = {
    400: 'Bad Request',
    405: 'Method Not Allowed',
    408: 'Request Timeout',
    431: 'Request Header Fields Too Large',
};
/**
 * What Node would answer by itself, with an empty body or none, is answered in the contract's body
 * (decisions: Errors), or goes the way of every request.
 */
export function answerRawSockets(server) {
    // Both are refused by checkHead: the one silently drops what is too much, the other says nothing.
    server.maxHeadersCount = 0;
    Object.assign(server, { requireHostHeader: false });
    server.on('clientError', (error, socket) => {
        if (!socket.writable || error.code === 'ECONNRESET')
            socket.destroy();
        else if (isAnswered(socket))
            socket.end();
        else
            endWith(socket, refusalOf(error.code));
    });
    server.on('connect', (_request, socket) => {
        endWith(socket, methodNotAllowed(METHODS));
    });
    // An expectation that is not known may be ignored (RFC 9110 section 10.1.1).
    server.on('checkExpectation', (request, response) => {
        server.emit('request', request, response);
    });
}
/** A head can be answered before its body turns out to be broken; nothing may follow that answer. */
const isAnswered = (socket) => socket._httpMessage?.headersSent ?? false;
function refusalOf(code) {
    if (code === 'HPE_HEADER_OVERFLOW')
        return headersTooLarge('at most 16 KiB');
    return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestTimeout() : invalid([]);
}
function endWith(socket, refusal) {
    const body = JSON.stringify(presentRefusal(refusal, '').body);
    const headers = {
        ...refusal.headers,
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': randomUUID(),
        Connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const { status } = refusal;
    socket.on('error', () => socket.destroy());
    socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\n${lines.join('')}\r\n${body}`);
}
//# sourceMappingURL=raw-sockets.js.map