import { Component, type Json, namedSchema, type Schema } from './component.js';
import { count, atLeast, listOf, text, texts } from './schemas.js';
import { PASSWORD_CODES } from '../../base/errors/api-errors.js';
import { REASONS } from '../../base/errors/reasons.js';
import { type RouteFacts, SCIM_TYPE } from '../../http/route-facts.js';

const header = (
  name: string,
  description: string,
  schema: Json = text,
): Record<string, Schema> => ({
  [name]: new Component('headers', name.replaceAll('-', ''), { description, schema }),
});

const REQUEST_ID = header(
  'X-Request-Id',
  'identifies this request in the log and in the audit trail',
);
const RETRY_AFTER = header('Retry-After', 'seconds until a retry can succeed', {
  type: 'integer',
});
const CHALLENGE = header('WWW-Authenticate', 'the authentication that the server requires');

export const ETAG = header('ETag', 'for If-Match and If-None-Match');
export const warning = (description: string): Record<string, Schema> => ({
  'X-Warning': { description, schema: text },
});
export const LOCATION = header('Location', 'the path of the new object');

export const PREFERENCE_APPLIED = header(
  'Preference-Applied',
  'what the answer took from the header Prefer (RFC 7240)',
);
export const DISPOSITION = header(
  'Content-Disposition',
  'inline for a photo; attachment with its name for a file (RFC 6266)',
);
export const SET_COOKIE = header(
  'Set-Cookie',
  'sets, replaces or deletes the cookie of a browser session, which renews it and opens no other route',
);

/** The paging headers of every list (docs/api-contract.md#lists). */
export const PAGING_HEADERS = {
  ...header(
    'Link',
    'the first, previous and next page; with Prefer: count=exact also the last (RFC 8288)',
  ),
  ...header('X-Total-Count', 'the total number of items; only with Prefer: count=exact', {
    type: 'integer',
  }),
  ...PREFERENCE_APPLIED,
};

export const REASON_CODE = namedSchema('ReasonCode', {
  enum: Object.keys(REASONS),
  description: 'Why the server refuses a call: docs/api-contract.md#reasons',
});

/** The parameters of a reason's message, by their names. */
export const PARAMETERS = { type: 'object', additionalProperties: true };

/** The body of most errors (docs/api-contract.md#errors-and-statuses). */
const ERROR = namedSchema(
  'Error',
  atLeast(
    {
      code: { type: 'integer' },
      message: text,
      reason: REASON_CODE,
      parameters: PARAMETERS,
      references: listOf(atLeast({ ...texts('resource', 'attribute'), count })),
    },
    ['parameters', 'references'],
  ),
);

/** Why something cannot be done although the call succeeds. */
export const REASON = namedSchema(
  'Reason',
  atLeast({ message: text, code: REASON_CODE, parameters: PARAMETERS }),
);

/** An entry of `fields`. */
export const INVALID_FIELD = namedSchema(
  'InvalidField',
  atLeast({ line: count, name: text, message: text, code: REASON_CODE, parameters: PARAMETERS }, [
    'line',
  ]),
);

const VALIDATION_ERROR = namedSchema(
  'ValidationError',
  atLeast({
    code: { const: 400 },
    message: text,
    fields: listOf(INVALID_FIELD),
  }),
);

const PASSWORD_ERROR = namedSchema(
  'PasswordError',
  atLeast({ code: { const: 400 }, message: text, errors: listOf({ enum: [...PASSWORD_CODES] }) }),
);

/** The body of every failed search (docs/api-contract.md#search-errors). */
export const SEARCH_FAILURE = namedSchema(
  'SearchFailure',
  atLeast({ type: { const: 'error' }, message: text }),
);

/** The parts of a response. */
export interface ResponseParts {
  description: string;
  headers?: Record<string, Schema>;
  /** Schemas by media type; without any, the response has no body. */
  content?: Record<string, Json>;
}

/** A response, with the headers that all responses have. */
export const response = ({ headers, ...parts }: ResponseParts): Json => ({
  ...parts,
  headers: { ...REQUEST_ID, ...headers },
});

interface ErrorParts {
  name: string;
  description: string;
  headers?: Record<string, Schema>;
  schema?: Schema;
}

const ERRORS: Record<number, ErrorParts> = {
  400: {
    name: 'BadRequest',
    description: 'The request is invalid; the body names every invalid field',
    schema: { anyOf: [VALIDATION_ERROR, PASSWORD_ERROR] },
  },
  401: {
    name: 'Unauthorized',
    description: 'The credentials or the token are missing, invalid or expired',
    headers: CHALLENGE,
  },
  403: {
    name: 'Forbidden',
    description:
      'The address or the caller has no permission, or the caller must authenticate again',
    headers: CHALLENGE,
  },
  404: { name: 'NotFound', description: 'The object does not exist, or the caller may not see it' },
  406: {
    name: 'NotAcceptable',
    description: 'The Accept header excludes every type of the answer',
  },
  408: { name: 'RequestTimeout', description: 'The request took too long to arrive' },
  409: { name: 'Conflict', description: 'The request conflicts with stored data' },
  410: {
    name: 'Gone',
    description: 'The cursor cannot be continued; the message says why. Start again without it',
  },
  412: {
    name: 'PreconditionFailed',
    description: 'If-Match does not name the current ETag, or If-None-Match does',
  },
  413: { name: 'PayloadTooLarge', description: 'The body is too large' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body has none of the documented media types, or an unknown coding',
    headers: {
      ...header('Accept-Patch', 'the media types that PATCH accepts (RFC 5789)'),
      ...header('Accept-Encoding', 'the codings of a body that the server accepts'),
    },
  },
  422: {
    name: 'UnprocessableContent',
    description: 'The Idempotency-Key belongs to a call with another body',
  },
  429: { name: 'TooManyRequests', description: 'Too many requests', headers: RETRY_AFTER },
  431: { name: 'HeadersTooLarge', description: 'The address or the headers are too large' },
  500: { name: 'InternalError', description: 'An internal error' },
  503: {
    name: 'Unavailable',
    description: 'The server is overloaded or stopping, or cannot reach its database',
    headers: RETRY_AFTER,
  },
};

const errorResponse = ({ name, description, headers, schema = ERROR }: ErrorParts): Component =>
  new Component(
    'responses',
    name,
    response({ description, headers, content: { 'application/json': { schema } } }),
  );

const ERROR_RESPONSES = new Map(
  Object.entries(ERRORS).map(([status, parts]) => [Number(status), errorResponse(parts)]),
);

/** The 400 of a route that also has a body of another standard. */
export const badRequestWith = (schema: Schema): Json =>
  response({
    description: ERRORS[400]!.description,
    content: { 'application/json': { schema: { anyOf: [schema, ERRORS[400]!.schema!] } } },
  });

const SEARCH_ERROR = errorResponse({
  name: 'SearchError',
  description: 'The search failed; the envelope says why',
  headers: RETRY_AFTER,
  schema: SEARCH_FAILURE,
});

const SCIM_ERROR = new Component(
  'responses',
  'ScimError',
  response({
    description: 'The call failed; the body says why (RFC 7644 section 3.12)',
    headers: { ...RETRY_AFTER, ...CHALLENGE },
    content: {
      [SCIM_TYPE]: {
        schema: namedSchema('ScimFailure', {
          type: 'object',
          required: ['schemas', 'status', 'detail'],
          properties: { schemas: listOf(text), ...texts('status', 'scimType', 'detail') },
        }),
      },
    },
  }),
);

/**
 * The response of an error status; a search has an envelope of its own.
 * @throws Error for a status that the server never answers
 */
export function errorResponseOf(
  status: number,
  { hasSearchEnvelope, isScim }: Pick<RouteFacts, 'hasSearchEnvelope' | 'isScim'>,
): Component {
  if (isScim) return SCIM_ERROR;
  const found = ERROR_RESPONSES.get(status);
  if (!found) throw new Error(`no error is documented for the status ${status}`);
  return hasSearchEnvelope ? SEARCH_ERROR : found;
}
