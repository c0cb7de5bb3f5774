/** The codes of a PasswordError, in the order in which they are reported (interface: PasswordError). */
export const PASSWORD_CODES = [
    'length',
    'lowercase',
    'uppercase',
    'number',
    'special-char',
    'history',
];
/** How this server says no: a status, the contract's body, and headers that belong to it. */
export class Refusal extends Error {
    status;
    details;
    headers;
    audited;
    constructor(status, message, details = {}, headers = {}, 
    /** For the audit trail alone, never sent: why, and about which object. */
    audited = {}) {
        super(message);
        this.status = status;
        this.details = details;
        this.headers = headers;
        this.audited = audited;
    }
    /** The body of the answer (interface: Errors). */
    get body() {
        return { code: this.status, message: this.message, ...this.details };
    }
}
/** 400 ValidationError with one entry for each invalid field. */
export const invalid = (fields) => new Refusal(400, summary(fields), { fields });
/** 400 ValidationError about one field. */
export const invalidField = (name, message) => invalid([{ name, message }]);
/** 400 PasswordError with every failing code. */
export const badPassword = (errors) => new Refusal(400, 'The password does not meet the rules', { errors });
/**
 * 401 for bad credentials: one and the same for every reason, so that nobody learns which.
 * @param reason for the audit trail: what was presented, or that the account is locked
 * @param objectUri the account, when there is one
 */
export const badCredentials = (reason, objectUri) => new Refusal(401, 'Bad or invalid authentication', {}, {}, { reason: `bad credentials: ${reason}`, objectUri });
/** 401 for no token, a bad, expired or revoked one. */
export const unauthenticated = () => new Refusal(401, 'You are not logged in: the token is missing, invalid or expired');
export const forbidden = (message = 'You have no access to this endpoint or resource') => new Refusal(403, message);
/** 403 for an address that the server parameters do not allow. */
export const addressRefused = () => new Refusal(403, 'The calling address is not authorized');
export const notFound = () => new Refusal(404, 'Not found');
/** 405; `allow` lists the methods of the route. */
export const methodNotAllowed = (allow) => new Refusal(405, `Method not allowed; allowed: ${allow.join(', ')}`, {}, { Allow: allow.join(', ') });
export const notAcceptable = (expected) => new Refusal(406, `Not acceptable: the Accept header must admit ${expected}`);
export const conflict = (message) => new Refusal(409, message);
export const stale = () => new Refusal(412, 'The resource was changed meanwhile: If-Match does not name its current ETag');
export const tooLarge = (limit) => new Refusal(413, `The body is too large; at most ${limit}`);
/** 431; `limit` says what there is too much of. */
export const headersTooLarge = (limit) => new Refusal(431, `The headers are too large: ${limit}`);
/** 408 for a client that is too slow. */
export const requestTimeout = () => new Refusal(408, 'The request took too long to arrive');
export const unsupportedMediaType = (expected, headers = {}) => new Refusal(415, `Unsupported Content-Type; expected ${expected}`, {}, headers);
/** 429; `seconds` until the next try makes sense. */
export const tooManyRequests = (seconds) => new Refusal(429, 'Too many requests', {}, { 'Retry-After': String(Math.ceil(seconds)) });
/** 503 for what passes by itself: the database is away, a queue is full. */
export const unavailable = (seconds = 1) => new Refusal(503, 'The service is temporarily unavailable', {}, { 'Retry-After': String(seconds) });
export const internalError = () => new Refusal(500, 'Internal server error');
function summary(fields) {
    const names = [...new Set(fields.map(({ name }) => name))];
    return names.length === 0 ? '' : `Invalid: ${names.join(', ')}`;
}
//# sourceMappingURL=refusals.js.map