/** On this path every body is the search envelope (decisions: Search). */
const SEARCH_PATH = '/navigation/search/workplace';
/** Portals read the search envelope and break on these statuses, so it comes with 200. */
const ENVELOPE_WITH_200 = new Set([400, 401]);
/** Whether a path (without the base path) is the search endpoint. */
export const isSearchPath = (path) => path === SEARCH_PATH || path === `${SEARCH_PATH}/`;
/** What the caller is sent for a refusal on a path: status and body. */
export function presentRefusal(refusal, path) {
    if (!isSearchPath(path))
        return { status: refusal.status, body: refusal.body };
    const reasons = refusal.details.fields?.map(({ name, message }) => `${name}: ${message}`);
    return {
        status: ENVELOPE_WITH_200.has(refusal.status) ? 200 : refusal.status,
        body: { type: 'error', message: reasons?.join('; ') || refusal.message },
    };
}
const sent = new WeakMap();
/** The refusal that a response was ended with; its status may differ from the one that was sent. */
export const refusalSentTo = (response) => sent.get(response);
/** Ends the response with a refusal in the body that the path asks for (interface: Errors). */
export function answerRefusal(response, refusal, path) {
    if (response.headersSent) {
        response.destroy();
        return;
    }
    const { status, body } = presentRefusal(refusal, path);
    const text = JSON.stringify(body);
    sent.set(response, refusal);
    response.statusCode = status;
    for (const [name, value] of Object.entries(refusal.headers))
        response.setHeader(name, value);
    response.setHeader('Cache-Control', 'no-store');
    response.removeHeader('ETag');
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(text);
}
//# sourceMappingURL=answer-refusal.js.map