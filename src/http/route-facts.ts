export const JSON_TYPE = 'application/json';
export const JSON_PATCH_TYPE = 'application/json-patch+json';
export const JSON_LINES_TYPE = 'application/x-ndjson';
export const SCIM_TYPE = 'application/scim+json';
export const CSV_TYPE = 'text/csv';
export const BINARY_TYPE = 'application/octet-stream';

/** The media types of photos that the server accepts. */
const PHOTO_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp'];

/** The URI of all users, relative to the root of the main API. */
export const USERS_URI = '/directory/users';

/** The body that a route accepts. */
export interface BodyRules {
  mediaTypes: readonly string[];
  /** Largest body in KiB. */
  limit: number;
  /** Whether the body stays binary instead of being parsed as JSON. */
  isBinary: boolean;
  /**
   * The callers from whom the server reads more than `USUAL_LIMIT`: all with a valid token, or only those who may push
   * tasks.
   */
  sender?: 'caller' | 'source';
  /** Given for a form, which the controller reads itself. */
  isForm?: true;
  /** The media type of a stream, which the controller reads itself while it answers. */
  streamedType?: string;
}

/** Properties of a route that the server needs before routing. */
export interface RouteFacts {
  body: BodyRules;
  /** Whether errors are sent in the search envelope (docs/api-contract.md#search-errors). */
  hasSearchEnvelope: boolean;
  /** Whether errors are sent in the form of SCIM, and an API key is a bearer token (docs/scim.md). */
  isScim: boolean;
  /** The load-shedding limit that counts its requests. */
  lane: 'sign-in' | 'other';
  /** Whether supervisors may call it from any address and by any host name. */
  isProbe: boolean;
  /** Whether the query may carry the token (docs/api-contract.md#tokens). */
  takesTokenInQuery: boolean;
  /** Whether `me` in the path stands for the caller's id. */
  isBelowMe: boolean;
}

/** Largest body of most routes, in KiB. The server reads more only from the senders that the route names. */
export const USUAL_LIMIT = 100;

const json = (limit: number): BodyRules => ({ mediaTypes: [JSON_TYPE], limit, isBinary: false });
const PATCH_BODY: BodyRules = {
  mediaTypes: [JSON_PATCH_TYPE, JSON_TYPE],
  limit: 64,
  isBinary: false,
};
const PHOTO_BODY: BodyRules = {
  mediaTypes: PHOTO_TYPES,
  limit: 2048,
  isBinary: true,
  sender: 'caller',
};

/** A file of records, which the controller reads. */
const IMPORT_BODY: BodyRules = {
  mediaTypes: [CSV_TYPE, JSON_LINES_TYPE],
  limit: 2048,
  isBinary: true,
  sender: 'caller',
};

/** A file of a task: server parameters limit it. */
const FILE_BODY: BodyRules = {
  mediaTypes: [BINARY_TYPE],
  limit: 0,
  isBinary: true,
  streamedType: BINARY_TYPE,
};

const PUSH_BODY: BodyRules = {
  mediaTypes: [JSON_TYPE, JSON_LINES_TYPE],
  limit: 2048,
  isBinary: false,
  sender: 'source',
  streamedType: JSON_LINES_TYPE,
};

const SCIM_BODY: BodyRules = {
  mediaTypes: [SCIM_TYPE, JSON_TYPE],
  limit: 1024,
  isBinary: false,
  sender: 'caller',
};

/** The types in which mail programs send their one click (RFC 8058 section 3.2). */
const FORM_BODY: BodyRules = {
  mediaTypes: ['application/x-www-form-urlencoded', 'multipart/form-data'],
  limit: 4,
  isBinary: false,
  isForm: true,
};

/** The form in which an identity provider sends a logout token. */
const LOGOUT_BODY: BodyRules = {
  mediaTypes: ['application/x-www-form-urlencoded'],
  limit: 16,
  isBinary: false,
  isForm: true,
};

/** The facts of all other routes. */
export const USUAL_FACTS: RouteFacts = {
  body: json(USUAL_LIMIT),
  hasSearchEnvelope: false,
  isScim: false,
  lane: 'other',
  isProbe: false,
  takesTokenInQuery: false,
  isBelowMe: false,
};

/**
 * The routes that differ from the usual facts; later rows win. `:id` stands for one segment of the path,
 * `*` for the rest of it, `{/}` for an optional slash.
 */
export const ROUTE_FACTS: readonly [method: string, path: string, facts: Partial<RouteFacts>][] = [
  ['*', '/health/live{/}', { isProbe: true }],
  ['*', '/health/ready{/}', { isProbe: true }],
  ['*', '/navigation/*', { takesTokenInQuery: true }],
  // A call that changes something can send a header, so its token need not be in the address.
  ['*', '/navigation/workplace/favourites/*', { takesTokenInQuery: false }],
  ['*', '/navigation/search/*', { hasSearchEnvelope: true }],
  ['*', '/api/v2/authentication*', { body: json(4) }],
  ['POST', '/api/v2/directory/invitations*', { body: json(4) }],
  ['POST', '/api/v2/authentication*', { lane: 'sign-in' }],
  ['POST', '/api/v2/authentication/backchannel-logout{/}', { body: LOGOUT_BODY }],
  ['PATCH', '/*', { body: PATCH_BODY }],
  ['*', '/scim/v2*', { body: SCIM_BODY, isScim: true }],
  ['PUT', '/api/v2/process/tasks{/}', { body: PUSH_BODY }],
  ['POST', '/api/v2/process/tasks/:id/files{/}', { body: FILE_BODY }],
  ['POST', '/api/v2/administration/imports/:kind{/}', { body: IMPORT_BODY }],
  ['POST', '/workplace/stop-mails/:token', { body: FORM_BODY }],
  ['*', `/api/v2${USERS_URI}/me/:part*`, { isBelowMe: true }],
  ['PUT', `/api/v2${USERS_URI}/:id/photo{/}`, { body: PHOTO_BODY }],
];

const COMPILED = ROUTE_FACTS.map(([method, path, facts]) => ({
  method,
  path: compile(path),
  facts,
}));

function compile(path: string): RegExp {
  const pattern = path.replace(/:\w+/g, '[^/]+').replace('{/}', '/?').replace('*', '.*');
  return new RegExp(`^${pattern}$`);
}

/**
 * The facts of the route of a request.
 * @param target the request target, in origin or absolute form (RFC 9112 section 3.2), with or without
 * the base path
 */
export function routeFacts(method: string, target: string, basePath: string): RouteFacts {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!;
  const rest = path.startsWith(basePath) ? path.slice(basePath.length) : path;
  let facts = USUAL_FACTS;
  for (const row of COMPILED)
    if ((row.method === '*' || row.method === method) && row.path.test(rest))
      facts = { ...facts, ...row.facts };
  return facts;
}
