import { Component, type Json, namedSchema, type Schema } from './component.js';
import { exactly, listOf, text, texts } from './schemas.js';
import { PASSWORD_CODES } from '../errors/api-errors.js';

const header = (
  name: string,
  description: string,
  schema: Json = text,
): Record<string, Schema> => ({
  [name]: new Component('headers', name.replaceAll('-', ''), { description, schema }),
});

const REQUEST_ID = header('X-Request-Id', 'names this request in the log and in the audit trail');
const RETRY_AFTER = header('Retry-After', 'seconds until the next try makes sense', {
  type: 'integer',
});
const CHALLENGE = header('WWW-Authenticate', 'what the server asks the caller to prove');

export const ETAG = header('ETag', 'for If-Match and If-None-Match');
export const LOCATION = header('Location', 'the path of the object that was created');

/** The paging headers of every list (docs/api-contract.md#lists). */
export const PAGING_HEADERS = {
  ...header('Link', 'first, prev and next page; with Prefer: count=exact also the last (RFC 8288)'),
  ...header('X-Total-Count', 'the number of all items; only with Prefer: count=exact', {
    type: 'integer',
  }),
  ...header('Preference-Applied', 'count=exact when it was asked for'),
};

/** The body of most errors (docs/api-contract.md#errors-and-statuses). */
const ERROR = namedSchema('Error', exactly({ code: { type: 'integer' }, message: text }));

const VALIDATION_ERROR = namedSchema(
  'ValidationError',
  exactly({
    code: { const: 400 },
    message: text,
    fields: listOf(exactly(texts('name', 'message'))),
  }),
);

const PASSWORD_ERROR = namedSchema(
  'PasswordError',
  exactly({ code: { const: 400 }, message: text, errors: listOf({ enum: [...PASSWORD_CODES] }) }),
);

/** The body of every failed search (docs/api-contract.md#search-errors). */
export const SEARCH_FAILURE = namedSchema(
  'SearchFailure',
  exactly({ type: { const: 'error' }, message: text }),
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
    description: 'Something that was sent is invalid; every invalid field is named',
    schema: { anyOf: [VALIDATION_ERROR, PASSWORD_ERROR] },
  },
  401: {
    name: 'Unauthorized',
    description: 'The credentials or the token are missing, invalid or expired',
    headers: CHALLENGE,
  },
  403: {
    name: 'Forbidden',
    description: 'The address or the caller may not do this, or has to prove again who they are',
    headers: CHALLENGE,
  },
  404: { name: 'NotFound', description: 'It does not exist, or not for this caller' },
  406: {
    name: 'NotAcceptable',
    description: 'The Accept header excludes every type of the answer',
  },
  408: { name: 'RequestTimeout', description: 'The request took too long to arrive' },
  409: { name: 'Conflict', description: 'It conflicts with what is stored' },
  412: { name: 'PreconditionFailed', description: 'If-Match does not name the current ETag' },
  413: { name: 'PayloadTooLarge', description: 'The body is too large' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body has another type than the documented ones',
    headers: header('Accept-Patch', 'the types that a PATCH takes (RFC 5789)'),
  },
  429: { name: 'TooManyRequests', description: 'Too many requests', headers: RETRY_AFTER },
  431: { name: 'HeadersTooLarge', description: 'The address or the headers are too large' },
  500: { name: 'InternalError', description: 'A fault of the server' },
  503: {
    name: 'Unavailable',
    description: 'The server is overloaded, stopping, or has lost its database for a moment',
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

const SEARCH_ERROR = errorResponse({
  name: 'SearchError',
  description: 'The search could not be tried; its envelope says why',
  headers: RETRY_AFTER,
  schema: SEARCH_FAILURE,
});

/**
 * The response of an error status; a search has an envelope of its own.
 * @throws Error for a status that the server never answers
 */
export function errorResponseOf(status: number, isSearch: boolean): Component {
  const found = ERROR_RESPONSES.get(status);
  if (!found) throw new Error(`no error is documented for the status ${status}`);
  return isSearch ? SEARCH_ERROR : found;
}
