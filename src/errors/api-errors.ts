/** One invalid field of a ValidationError (docs/api-contract.md#errors-and-statuses). */
export interface InvalidField {
  name: string;
  message: string;
}

/**
 * The codes of a PasswordError, in the order in which they are reported
 * (docs/api-contract.md#errors-and-statuses).
 */
export const PASSWORD_CODES = [
  'length',
  'lowercase',
  'uppercase',
  'number',
  'special-char',
  'history',
] as const;
export type PasswordCode = (typeof PASSWORD_CODES)[number];

/** An error of the API: its status, the contract's body and its headers. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: { fields?: InvalidField[]; errors?: PasswordCode[] } = {},
    readonly headers: Record<string, string> = {},
    /** The reason and the object for the audit trail; never sent. */
    readonly audited: { reason?: string; objectUri?: string } = {},
  ) {
    super(message);
  }

  /** The body of the answer (docs/api-contract.md#errors-and-statuses). */
  get body(): Record<string, unknown> {
    return { code: this.status, message: this.message, ...this.details };
  }
}

/** 400 ValidationError with one entry for each invalid field. */
export const invalid = (fields: InvalidField[]): ApiError =>
  new ApiError(400, summary(fields), { fields });

/** 400 ValidationError about one field. */
export const invalidField = (name: string, message: string): ApiError =>
  invalid([{ name, message }]);

/**
 * Maps every item and reports the invalid fields of all items in one answer.
 * @throws ApiError 400 with the fields of every ValidationError that `map` throws; any other error of `map`
 */
export function forEveryItem<T, R>(items: T[], map: (item: T, index: number) => R): R[] {
  const bad: InvalidField[] = [];
  const results = items.flatMap((item, index) => {
    try {
      return [map(item, index)];
    } catch (error) {
      if (!(error instanceof ApiError) || !error.details.fields) throw error;
      bad.push(...error.details.fields);
      return [];
    }
  });
  if (bad.length > 0) throw invalid(bad);
  return results;
}

/** 400 PasswordError with every failing code. */
export const badPassword = (errors: PasswordCode[]): ApiError =>
  new ApiError(400, 'The password does not meet the password rules', { errors });

/** A 401 must name a scheme (RFC 9110 section 15.5.2); some clients fail to read one without it. */
const BEARER = { 'WWW-Authenticate': 'Bearer' };

/**
 * 401 for bad credentials. The answer is the same for every reason, so that an attacker cannot tell an
 * unknown account from a wrong password.
 * @param reason for the audit trail: the kind of credentials, or that the account is locked
 * @param objectUri the account, if it exists
 */
export const badCredentials = (reason: string, objectUri?: string): ApiError =>
  new ApiError(401, 'Bad or invalid authentication', {}, BEARER, {
    reason: `bad credentials: ${reason}`,
    objectUri,
  });

/** 401 for a token that is missing, invalid, expired or revoked. */
export const unauthenticated = (): ApiError =>
  new ApiError(401, 'You are not logged in: the token is missing, invalid or expired', {}, BEARER);

export const forbidden = (message = 'You have no access to this endpoint or resource'): ApiError =>
  new ApiError(403, message);

/** 400 for a code without an open invitation; the audit trail records it as bad credentials. */
export const unknownInvitation = (): ApiError =>
  new ApiError(
    400,
    'Invalid: code',
    { fields: [{ name: 'code', message: 'is unknown, used or expired' }] },
    {},
    { reason: 'bad credentials: invitation' },
  );

/**
 * 403 until the caller has authenticated again (RFC 9470 section 3).
 * @param seconds how old that authentication may be
 */
export const proofRequired = (seconds: number): ApiError =>
  new ApiError(
    403,
    `Confirm your password first (POST /api/v2/authentication/confirmation), or sign in again: this call requires a sign-in or confirmation in the last ${seconds / 60} minutes, and a sign-in by API key does not count`,
    {},
    { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication", max_age="${seconds}"` },
  );

/** 403 for the token of an API key, which no confirmation makes a recent proof. */
export const signInRequired = (seconds: number): ApiError =>
  new ApiError(
    403,
    `Sign in by password or identity provider: this call requires such a sign-in in the last ${seconds / 60} minutes, and the token of an API key does not count`,
    {},
    { 'WWW-Authenticate': `Bearer error="insufficient_user_authentication", max_age="${seconds}"` },
  );

/** 403 for an address that the server parameters do not allow. */
export const addressNotAllowed = (): ApiError =>
  new ApiError(403, 'The calling address is not authorized');

export const notFound = (): ApiError => new ApiError(404, 'Not found');

/** 405; `allow` lists the methods of the route. */
export const methodNotAllowed = (allow: string[]): ApiError =>
  new ApiError(
    405,
    `Method not allowed; allowed: ${allow.join(', ')}`,
    {},
    { Allow: allow.join(', ') },
  );

/** 406; `offered` lists the media types of the route: the header excludes all of them. */
export const notAcceptable = (offered: string[]): ApiError =>
  new ApiError(
    406,
    offered.length > 1
      ? `Not acceptable: the Accept header accepts neither ${offered.join(' nor ')}`
      : `Not acceptable: the Accept header excludes ${offered.join()}`,
  );

export const conflict = (message: string): ApiError => new ApiError(409, message);

/** 410 for a cursor of the change feed that cannot be continued (docs/api-contract.md#changes). */
export const gone = (reason: string): ApiError =>
  new ApiError(410, `The cursor cannot be continued: ${reason}. Start again without it`);

export const stale = (): ApiError =>
  new ApiError(
    412,
    'The resource has changed since you read it: If-Match does not name its current ETag',
  );

/** 412 for an If-Match that holds no ETag and so matches no representation. */
export const noETag = (): ApiError =>
  new ApiError(412, 'If-Match must hold * or ETags in quotation marks, such as "7"');

export const tooLarge = (limit: string): ApiError =>
  new ApiError(413, `The body is too large; at most ${limit}`);

/** 431; `limit` names the exceeded limit. */
export const headersTooLarge = (limit: string): ApiError =>
  new ApiError(431, `The headers are too large: ${limit}`);

/** 408 for a client that is too slow. */
export const requestTimeout = (): ApiError =>
  new ApiError(408, 'The request took too long to arrive');

export const unsupportedMediaType = (
  expected: string,
  headers: Record<string, string> = {},
): ApiError => new ApiError(415, `Unsupported Content-Type; expected ${expected}`, {}, headers);

/**
 * 415 for a coding of the body that the server does not undo (RFC 9110 section 15.5.16).
 * @param accepted the codings that it does; none where the body must not be compressed
 */
export const unsupportedCoding = (accepted: readonly string[]): ApiError =>
  new ApiError(
    415,
    `Unsupported Content-Encoding; expected ${[...accepted, 'none'].join(', ').replace(/, (?=none$)/, ' or ')}`,
    {},
    { 'Accept-Encoding': accepted.join(', ') || 'identity' },
  );

/** 422 for a call that cannot be what its client means, although every part of it is valid. */
export const unprocessable = (message: string): ApiError => new ApiError(422, message);

/**
 * 429. An answer about sign-ins never names its limit, because the limit would tell an attacker how to stay below it.
 * @param seconds until a retry can succeed
 * @param limit the exceeded limit, in words
 */
export const tooManyRequests = (seconds: number, limit?: string): ApiError =>
  new ApiError(
    429,
    limit === undefined ? 'Too many requests' : `Too many requests: ${limit}`,
    {},
    { 'Retry-After': String(Math.ceil(seconds)) },
  );

/** 503 for a temporary condition: the database is unreachable, a queue is full. */
export const unavailable = (seconds = 1): ApiError =>
  new ApiError(
    503,
    'The service is temporarily unavailable',
    {},
    { 'Retry-After': String(seconds) },
  );

export const internalError = (): ApiError => new ApiError(500, 'Internal server error');

function summary(fields: InvalidField[]): string {
  const names = [...new Set(fields.map(({ name }) => name))];
  return names.length === 0 ? '' : `Invalid: ${names.join(', ')}`;
}
