import type { Permission } from '../rights/permissions.js';
import { type PresentedReason, type Reason, reason } from './reason.js';
import type { ScimType } from './scim-type.js';

/** Why a field of a request is invalid. */
export interface InvalidField {
  /** Of an import: the line of the file. */
  line?: number;
  name: string;
  reason: Reason;
}

/** An entry of `fields` in a ValidationError (docs/api-contract.md#errors-and-statuses). */
export const presentField = ({ line, name, reason }: InvalidField): PresentedField => ({
  ...(line !== undefined && { line }),
  name,
  ...reason.presented,
});

export interface PresentedField extends PresentedReason {
  line?: number;
  name: string;
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

/** Objects that refer to the object of a refused call. */
export interface Reference {
  /** The resource of these objects, e.g. `users`. */
  resource: string;
  /** The attribute by which they refer to it. */
  attribute: string;
  count: number;
}

interface Details {
  fields?: InvalidField[];
  errors?: PasswordCode[];
  references?: Reference[];
  /** Sent in the form of SCIM alone. */
  scimType?: ScimType;
}

/** An error of the API: its status, the contract's body and its headers. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly reason: Reason,
    readonly details: Details = {},
    readonly headers: Record<string, string> = {},
    /** The reason and the object for the audit trail; never sent. */
    readonly audited: { reason?: string; objectUri?: string } = {},
  ) {
    super(reason.message);
  }

  /** The body of the answer (docs/api-contract.md#errors-and-statuses). */
  get body(): Record<string, unknown> {
    const { fields, ...details } = this.details;
    const error = { code: this.status, message: this.message };
    if (fields) return { ...error, fields: fields.map(presentField) };
    if (details.errors) return { ...error, ...details };
    const { code, parameters } = this.reason;
    return { ...error, reason: code, ...(details.references ? details : { parameters }) };
  }
}

/** 400 ValidationError with one entry for each reason. */
export const invalid = (fields: InvalidField[]): ApiError => {
  const attributes = [...new Set(fields.map(({ name }) => name))];
  return new ApiError(400, reason('invalid', { attributes }), { fields });
};

/** 400 ValidationError about one field. */
export const invalidField = (name: string, why: Reason): ApiError =>
  invalid([{ name, reason: why }]);

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
  new ApiError(400, reason('weak-password'), { errors });

/** A 401 must name a scheme (RFC 9110 section 15.5.2); some clients fail to read one without it. */
const BEARER = { 'WWW-Authenticate': 'Bearer' };

/**
 * 401 for bad credentials. The answer is the same for every reason, so that an attacker cannot distinguish an unknown
 * account from a wrong password.
 * @param why for the audit trail: the kind of credentials, or that the account is locked
 * @param objectUri the account, if it exists
 */
export const badCredentials = (why: string, objectUri?: string): ApiError =>
  new ApiError(401, reason('bad-credentials'), {}, BEARER, {
    reason: `bad credentials: ${why}`,
    objectUri,
  });

/**
 * 401 for a right password without the code of a second step, or with a wrong one.
 * @param secondSteps what the person can present
 */
export const secondStepRequired = (
  why: 'second-step-required' | 'wrong-second-step',
  secondSteps: readonly string[],
  objectUri: string,
): ApiError =>
  new ApiError(401, reason(why, { secondSteps }), {}, BEARER, {
    reason: why === 'wrong-second-step' ? 'bad credentials: second step' : 'second step: missing',
    objectUri,
  });

/** 400 for a wrong or used code of a second step; the audit trail records it as bad credentials. */
export const badCode = (objectUri?: string): ApiError => {
  const { reason: why, details } = invalidField('code', reason('wrong-code'));
  return new ApiError(400, why, details, {}, { reason: 'bad credentials: second step', objectUri });
};

/** 400 for a passkey that does not prove who the caller is; the audit trail records it as bad credentials. */
export const badPasskey = (objectUri?: string): ApiError => {
  const { reason: why, details } = invalidField('passkey', reason('wrong-passkey'));
  return new ApiError(400, why, details, {}, { reason: 'bad credentials: passkey', objectUri });
};

/** 401 for a token that is missing, invalid, expired or revoked. */
export const unauthenticated = (): ApiError =>
  new ApiError(401, reason('not-logged-in'), {}, BEARER);

export const forbidden = (why: Reason = reason('forbidden')): ApiError => new ApiError(403, why);

/** 403 for a caller whose roles lack a permission. */
export const missingPermission = (permission: Permission): ApiError =>
  forbidden(reason('missing-permission', { permission }));

/** 400 for a code without an open invitation; the audit trail records it as bad credentials. */
export const unknownInvitation = (): ApiError => {
  const { reason: why, details } = invalidField('code', reason('bad-code'));
  return new ApiError(400, why, details, {}, { reason: 'bad credentials: invitation' });
};

/**
 * 401 until the caller has authenticated again (RFC 9470 section 3).
 * @param seconds the age that the sign-in may have
 */
export const proofRequired = (seconds: number): ApiError =>
  new ApiError(
    401,
    reason('recent-sign-in-required', { minutes: seconds / 60 }),
    {},
    {
      'WWW-Authenticate': `Bearer error="insufficient_user_authentication", max_age="${seconds}"`,
    },
  );

/** 403 for the token of an API key, which no confirmation makes a recent proof. */
export const signInRequired = (seconds: number): ApiError =>
  forbidden(reason('sign-in-without-key-required', { minutes: seconds / 60 }));

/** 403 for an address that the server parameters do not allow. */
export const addressNotAllowed = (): ApiError => new ApiError(403, reason('address-not-allowed'));

export const notFound = (): ApiError => new ApiError(404, reason('not-found'));

/** 501: the server knows these methods alone (RFC 9110 section 15.6.2). */
export const unknownMethod = (allowed: string[]): ApiError =>
  new ApiError(501, reason('unknown-method', { allowed }));

/** 405; `allow` lists the methods of the route. */
export const methodNotAllowed = (allow: string[]): ApiError =>
  new ApiError(
    405,
    reason('method-not-allowed', { allowed: allow }),
    {},
    { Allow: allow.join(', ') },
  );

/** 406; `offered` lists the media types of the route: the header excludes all of them. */
export const notAcceptable = (offered: string[]): ApiError =>
  new ApiError(
    406,
    offered.length > 1
      ? reason('none-acceptable', { offered: offered.join(' nor ') })
      : reason('not-acceptable', { offered }),
  );

export const conflict = (why: Reason): ApiError => new ApiError(409, why);

/** 409 for an object to which others refer. */
export const referenced = (sentences: string, references: Reference[]): ApiError =>
  new ApiError(409, reason('referenced', { sentences }), { references });

/** 410 for a cursor of the change feed that cannot be continued (docs/api-contract.md#changes). */
export const gone = (why: string): ApiError =>
  new ApiError(410, reason('cursor-not-continuable', { why }));

export const stale = (): ApiError => new ApiError(412, reason('stale'));

/** 412 for an If-None-Match that names the current state. */
export const excluded = (): ApiError => new ApiError(412, reason('excluded-state'));

/** 412 for a condition that holds no ETag. */
export const noETag = (header: 'If-Match' | 'If-None-Match'): ApiError =>
  new ApiError(412, reason('not-an-etag', { header }));

export const tooLarge = (limit: string): ApiError =>
  new ApiError(413, reason('body-too-large', { limit }));

/** 431; `limit` names the exceeded limit. */
export const headersTooLarge = (limit: string): ApiError =>
  new ApiError(431, reason('head-too-large', { limit }));

/** 408 for a client that is too slow. */
export const requestTimeout = (): ApiError => new ApiError(408, reason('too-slow'));

export const unsupportedMediaType = (
  expected: string,
  headers: Record<string, string> = {},
): ApiError => new ApiError(415, reason('unsupported-media-type', { expected }), {}, headers);

/**
 * 415 for a content coding that the server does not decode (RFC 9110 section 15.5.16).
 * @param accepted the codings that it decodes; none where the body must not be compressed
 */
export const unsupportedCoding = (accepted: readonly string[]): ApiError =>
  new ApiError(
    415,
    reason('unsupported-coding', {
      expected: [...accepted, 'none'].join(', ').replace(/, (?=none$)/, ' or '),
    }),
    {},
    { 'Accept-Encoding': accepted.join(', ') || 'identity' },
  );

/** 422 for a call whose valid parts contradict each other. */
export const unprocessable = (why: Reason): ApiError => new ApiError(422, why);

/**
 * 429. An answer about sign-ins never names its limit, because the limit would tell an attacker how to stay below it.
 * @param seconds until a retry can succeed
 * @param limit the exceeded limit
 */
export const tooManyRequests = (
  seconds: number,
  limit: Reason = reason('too-many-requests'),
): ApiError => new ApiError(429, limit, {}, { 'Retry-After': String(Math.ceil(seconds)) });

/** 503 for a temporary condition: the database is unreachable, a queue is full. */
export const unavailable = (seconds = 1): ApiError =>
  new ApiError(503, reason('unavailable'), {}, { 'Retry-After': String(seconds) });

export const internalError = (): ApiError => new ApiError(500, reason('internal-error'));
