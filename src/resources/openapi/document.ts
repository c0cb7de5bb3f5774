import type { WriteAction } from '../write/may-write.js';
import { STATUS_CODES } from 'node:http';
import type { Type } from '@nestjs/common';
import type { Permission } from '../../base/rights/permissions.js';
import { PLATFORM_VERSION, VERSION } from '../../base/config/version.js';
import { JSON_TYPE } from '../../http/route-facts.js';
import type { Resource } from '../resource.js';
import type { OperationDescription } from './api-operation.decorator.js';
import { type Component, Components, type Json, type Schema } from './component.js';
import { errorStatuses } from './error-statuses.js';
import { addExamples } from './examples.js';
import { fixedBody } from './fixed-body.js';
import { IF_MATCH, IF_NONE_MATCH, LIST_PARAMETERS, pathParameters, RANGE } from './parameters.js';
import { resourceOperations } from './resource-operations.js';
import { displayedSchema, itemSchema, pluralOf } from './resource-schemas.js';
import {
  DISPOSITION,
  badRequestWith,
  errorResponseOf,
  ETAG,
  LOCATION,
  PAGING_HEADERS,
  PREFERENCE_APPLIED,
  response,
  SET_COOKIE,
  warning,
} from './responses.js';
import { type Route, routesOf } from './route.js';
import { AUDIT_OBJECT, binary, listOf, REF } from './schemas.js';

/** Tags of routes that belong to no resource. */
const TAGS: Record<string, string> = {
  Authentication: 'Sign in, sign out, and the session behind a token.',
  Service: 'The name and version of this server, and this description.',
  Administration: 'Server parameters, the IP allowlists and the audit trail.',
  Navigation: 'The parts of a portal: categories, applications, indicators, pictures.',
  Search: 'The named searches.',
  Changes: 'What has changed, for consumers that keep a copy of the data.',
  Health: 'Health checks for supervisors and load balancers.',
};

const DESCRIPTION = `Main, navigation and search API of platform version ${PLATFORM_VERSION}.

Every operation lists each status that it can return. A path returns 405 with an Allow header for a method
that it does not support. HEAD returns the headers of GET, without the body.`;

/** An operation of the document and its route. */
interface Operation {
  route: Route;
  description: OperationDescription;
}

/**
 * Builds the OpenAPI 3.1 document of all routes from their controllers. A resource describes its routes; an
 * `@ApiOperation` describes any other route. The document omits a route that has neither, and
 * test/resources/openapi/openapi.spec.ts reports it.
 * @param controllers the classes of the controllers
 * @throws Error when two schemas or two operations have the same name
 */
export function buildDocument(basePath: string, controllers: Type[]): Json {
  const operations = routesOf(controllers).flatMap((route) => {
    const description = describe(route);
    return description ? [{ route, description }] : [];
  });
  const components = new Components();
  // Attributes refer to these components by their names.
  components.resolve([REF, AUDIT_OBJECT]);
  const paths = components.resolve(pathsOf(operations));
  components.resolve(displayedSchemas(operations));
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Process Platform',
      version: VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    tags: tagsOf(operations),
    paths,
    components: {
      ...components.toJson(),
      securitySchemes: {
        header: { type: 'apiKey', in: 'header', name: 'X-AUTHENTICATION-KEY' },
        query: { type: 'apiKey', in: 'query', name: '_AuthenticationKey' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token of this server, as in `X-AUTHENTICATION-KEY`; at `POST /api/v2/authentication` one of the identity provider',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-session',
          description: '`__Secure-session` below a base path, `session` over plain HTTP',
        },
      },
    },
  };
  addExamples(document as unknown as Parameters<typeof addExamples>[0]);
  return document;
}

function describe(route: Route): OperationDescription | undefined {
  const { description, resource, handler, bodyClass } = route;
  const given = description ?? (resource && resourceOperations(resource)[handler]);
  return given && { ...(bodyClass && { body: fixedBody(bodyClass) }), ...given };
}

function pathsOf(operations: Operation[]): Record<string, Json> {
  const paths: Record<string, Json> = {};
  const ids = new Set<string>();
  for (const { route, description } of operations) {
    const { operationId } = description;
    if (ids.has(operationId)) throw new Error(`two operations are named ${operationId}`);
    ids.add(operationId);
    (paths[route.path] ??= {})[route.method] = operationOf(route, description);
  }
  return paths;
}

/** The schemas of all lists with responseMode=user. */
function displayedSchemas(operations: Operation[]): Component[] {
  const lists = operations.flatMap(({ description: { lists } }) => lists ?? []);
  return [...new Set(lists)].map(displayedSchema);
}

function tagsOf(operations: Operation[]): Json[] {
  const resources = new Map<string, Resource>();
  for (const { route } of operations)
    if (route.resource) resources.set(pluralOf(route.resource), route.resource);
  return [...new Set(operations.map(({ description }) => description.tag))].map((name) => ({
    name,
    description: TAGS[name] ?? `The resources at ${resources.get(name)?.ref.uri}.`,
  }));
}

function operationOf(route: Route, description: OperationDescription): Json {
  const { operationId, tag, summary, lists, parameters = [] } = description;
  const permission = permissionOf(route);
  const isTagged = description.hasETag === true || route.isRevalidated;
  // An object's ETag does not cover linked data in its JSON; that of a picture or a file covers everything.
  const isCached =
    route.method === 'get' &&
    (route.isRevalidated || (isTagged && description.answerType !== undefined));
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description.description !== undefined && { description: description.description }),
    ...(permission !== undefined && { 'x-permission': permission }),
    security: securityOf(route, description),
    parameters: [
      ...pathParameters(route.path, route.namedParameters),
      ...(lists ? LIST_PARAMETERS : description.isPaged ? [RANGE] : []),
      ...parameters,
      ...(description.isConditional ? [IF_MATCH] : []),
      ...(description.isConditional || isCached ? [IF_NONE_MATCH] : []),
    ],
    ...requestBodyOf(route, description),
    responses: {
      [route.status]: successOf(route, description, isTagged),
      ...(isCached && {
        304: response({
          description: 'If-None-Match names the current ETag',
          headers: { ...ETAG, ...dispositionOf(description) },
        }),
      }),
      ...Object.fromEntries(
        errorStatuses(route, description).map((status) => [
          status,
          status === 400 && description.badRequest
            ? badRequestWith(description.badRequest)
            : errorResponseOf(status, route.facts),
        ]),
      ),
    },
  };
}

function securityOf(
  { isPublic, facts }: Route,
  { takesBearer, takesCookie }: OperationDescription,
): Json[] {
  if (takesBearer) return [{}, { bearer: [] }];
  if (takesCookie) return [{ cookie: [] }];
  if (isPublic) return [];
  // Portals send the token in the query.
  return [{ header: [] }, { bearer: [] }, ...(facts.takesTokenInQuery ? [{ query: [] }] : [])];
}

function requestBodyOf(
  { facts }: Route,
  { body, bodyLine, takesBearer }: OperationDescription,
): Json {
  if (!body) return {};
  const content = facts.body.mediaTypes.map((type) => [
    type,
    { schema: type === facts.body.streamedType ? bodyLine : body },
  ]);
  return {
    requestBody: { required: !takesBearer, content: Object.fromEntries(content) as Json },
  };
}

/** The permission that a route asks for; for a write of a resource that which others than the owner need. */
function permissionOf({ permission, resource, handler }: Route): Permission | undefined {
  const action = WRITES.get(handler);
  return permission ?? (resource && action && resource.permission(action));
}

/** The writes that all resources share. */
const WRITES = new Map<string, WriteAction>([
  ['create', 'create'],
  ['replace', 'change'],
  ['patch', 'change'],
  ['delete', 'delete'],
]);

function successOf({ status }: Route, description: OperationDescription, isTagged: boolean): Json {
  const { lists, answer, answerType = JSON_TYPE, otherAnswers = {} } = description;
  const others = Object.entries(otherAnswers).map(([type, other]) => [type, { schema: other }]);
  const schema: Schema | undefined = lists ? listOf(itemSchema(lists)) : answer;
  return response({
    description: STATUS_CODES[status]!,
    headers: {
      ...(isTagged && ETAG),
      ...(description.hasLocation && LOCATION),
      ...(description.warning !== undefined && warning(description.warning)),
      ...(description.setsCookie && SET_COOKIE),
      ...(description.appliesPreference && PREFERENCE_APPLIED),
      ...((lists || description.isPaged) && PAGING_HEADERS),
      ...dispositionOf(description),
    },
    ...(schema && {
      content: {
        [answerType]: { schema },
        ...(Object.fromEntries(others) as Record<string, Json>),
      },
    }),
  });
}

const dispositionOf = ({ answer }: OperationDescription): Record<string, Schema> =>
  answer === binary ? DISPOSITION : {};
