import { allResources, type Resource } from '../resources/resource.js';
import {
  bodySchema,
  COMMON_SCHEMAS,
  labelsSchema,
  LIST_PARAMETERS,
  listOf,
  pageOf,
  refTo,
  representationSchema,
  type Schema,
  schemaName,
} from './schemas.js';
import { DESCRIBED_ROUTES, type RouteDescription } from './routes.js';
import { PLATFORM_VERSION, VERSION } from '../config/version.js';

/** The routes that every resource has, from its description. */
function routesOf(resource: Resource): RouteDescription[] {
  const name = schemaName(resource);
  const path = `/api/v2${resource.ref.uri}`;
  const one = `${path}/{id}`;
  const detailed = refTo(`${name}Detailed`);
  const body = refTo(`${name}Body`);
  const tag = name;
  const kind = resource.name;
  return [
    {
      method: 'get',
      path,
      tag,
      summary: `List ${kind}`,
      answer: pageOf(name),
      parameters: LIST_PARAMETERS,
    },
    {
      method: 'post',
      path,
      tag,
      summary: `Create one of ${kind}`,
      status: 201,
      answer: detailed,
      body,
    },
    {
      method: 'get',
      path: `${path}/attributes`,
      tag,
      summary: `What a list of ${kind} can be sorted and filtered by`,
      answer: listOf(refTo('AttributeDescription')),
    },
    {
      method: 'get',
      path: one,
      tag,
      summary: `One of ${kind}, detailed`,
      answer: detailed,
      revalidated: true,
    },
    { method: 'put', path: one, tag, summary: `Replace one of ${kind}`, answer: detailed, body },
    {
      method: 'patch',
      path: one,
      tag,
      summary: `Change one of ${kind} by JSON Patch (RFC 6902)`,
      answer: detailed,
      body: refTo('JsonPatch'),
      bodyType: 'application/json-patch+json',
    },
    { method: 'delete', path: one, tag, summary: `Delete one of ${kind}`, status: 204 },
  ];
}

/** Resources that have routes of their own: those with an address. */
export const servedResources = (): Resource[] =>
  allResources().filter(({ definition }) => !definition.withoutUri);

function schemas(): Record<string, Schema> {
  const listed = allResources().flatMap((resource): [string, Schema][] => {
    const name = schemaName(resource);
    return [
      [name, representationSchema(resource, 'list')],
      [`${name}Labels`, labelsSchema(resource)],
    ];
  });
  const served = servedResources().flatMap((resource): [string, Schema][] => {
    const name = schemaName(resource);
    return [
      [`${name}Detailed`, representationSchema(resource, 'detailed')],
      [`${name}Body`, bodySchema(resource)],
    ];
  });
  return { ...COMMON_SCHEMAS, ...Object.fromEntries([...listed, ...served]) };
}

/**
 * The description of every route (OpenAPI 3.1), made from the attribute tables and the list of the
 * other routes; a test compares it with the router and with the answers of the other tests.
 */
export function buildDocument(basePath: string): Record<string, unknown> {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const route of [...DESCRIBED_ROUTES, ...servedResources().flatMap(routesOf)])
    (paths[route.path] ??= {})[route.method] = operation(route);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Process Platform',
      version: VERSION,
      description: `Main, navigation and search API of platform version ${PLATFORM_VERSION}.`,
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    paths,
    components: {
      schemas: schemas(),
      securitySchemes: {
        header: { type: 'apiKey', in: 'header', name: 'X-AUTHENTICATION-KEY' },
        query: { type: 'apiKey', in: 'query', name: '_AuthenticationKey' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

/** Navigation is polled: its answers have an ETag, apart from those of searches. */
const isRevalidated = ({ method, path, revalidated }: RouteDescription): boolean =>
  revalidated === true || (method === 'get' && path.startsWith('/navigation/workplace'));

/** A JSON Patch is read as plain JSON too. */
const bodyTypesOf = ({ method, bodyType = 'application/json' }: RouteDescription): string[] =>
  method === 'patch' ? [bodyType, 'application/json'] : [bodyType];

function operation(route: RouteDescription): Schema {
  const { path, tag, summary, answer, answerType = 'application/json', status = 200 } = route;
  const isNavigation = path.startsWith('/navigation/');
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const success = answer ? { content: { [answerType]: { schema: answer } } } : {};
  const refusal =
    answer === undefined || !path.includes('/search/')
      ? { anyOf: ['Error', 'ValidationError', 'PasswordError'].map(refTo) }
      : refTo('SearchEnvelope');
  return {
    tags: [tag],
    summary,
    security: route.takesBearer
      ? [{}, { bearer: [] }]
      : route.open
        ? []
        : [{ header: [] }, ...(isNavigation ? [{ query: [] }] : [])],
    parameters: [...inPath, ...(route.parameters ?? [])],
    ...(route.body && {
      requestBody: {
        required: !route.takesBearer,
        content: Object.fromEntries(
          bodyTypesOf(route).map((type) => [type, { schema: route.body }]),
        ),
      },
    }),
    responses: {
      [status]: { description: summary, ...success },
      ...(isRevalidated(route) && { 304: { description: 'Unchanged: If-None-Match names it' } }),
      default: {
        description: 'A refusal',
        content: { 'application/json': { schema: refusal } },
      },
    },
  };
}
