export const JSON_TYPE = 'application/json';
export const JSON_PATCH_TYPE = 'application/json-patch+json';

/** What a photo may be sent as. */
export const PHOTO_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp'];

/** The URI of all users, relative to the root of the main API. */
export const USERS_URI = '/directory/users';

/** What a route takes as its body. */
export interface BodyRules {
  mediaTypes: readonly string[];
  /** Largest body in KiB. */
  limit: number;
  /** Kept as bytes instead of parsed as JSON; read for callers with a valid token alone. */
  isBinary: boolean;
}

/** What has to be known about a route before the router has found it. */
export interface RouteFacts {
  body: BodyRules;
  /** Whether every error is sent as a search envelope (docs/api-contract.md#search-errors). */
  hasSearchEnvelope: boolean;
  /** Which limit of load shedding counts its requests. */
  lane: 'sign-in' | 'other';
  /** Whether a supervisor may call it from any address and by any host name. */
  isProbe: boolean;
  /** Whether the token may be in the query (docs/api-contract.md#tokens). */
  takesTokenInQuery: boolean;
}

const json = (limit: number): BodyRules => ({ mediaTypes: [JSON_TYPE], limit, isBinary: false });
const PATCH_BODY: BodyRules = {
  mediaTypes: [JSON_PATCH_TYPE, JSON_TYPE],
  limit: 64,
  isBinary: false,
};
const PHOTO_BODY: BodyRules = { mediaTypes: PHOTO_TYPES, limit: 2048, isBinary: true };

/** The facts about a route that no row of the table mentions. */
export const USUAL_FACTS: RouteFacts = {
  body: json(100),
  hasSearchEnvelope: false,
  lane: 'other',
  isProbe: false,
  takesTokenInQuery: false,
};

/**
 * Where a route differs from the usual; later rows win. `:id` stands for one segment of the path, `*`
 * for the rest of it, `{/}` for a slash that may be missing.
 */
export const ROUTE_FACTS: readonly [method: string, path: string, facts: Partial<RouteFacts>][] = [
  ['*', '/health/live', { isProbe: true }],
  ['*', '/health/ready', { isProbe: true }],
  ['*', '/navigation/*', { takesTokenInQuery: true }],
  ['*', '/navigation/search/*', { hasSearchEnvelope: true }],
  ['*', '/api/v2/authentication{/}', { body: json(4) }],
  ['POST', '/api/v2/authentication*', { lane: 'sign-in' }],
  ['PATCH', '/*', { body: PATCH_BODY }],
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
 * The facts about the route of a request.
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
