import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscoveryService } from '@nestjs/core';
import type { Type } from '@nestjs/common';
import { ACTIONS } from '../../../src/base/rights/permissions.js';
import { routesOf } from '../../../src/resources/openapi/route.js';
import { makeAnswerCheck, makeValidators, textOf } from '../../support/answer-check.js';
import { expressRoutes } from '../../support/routes.js';
import { listedResources } from '../../support/server-resources.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

interface Parameter {
  name: string;
  in: string;
}

interface Content {
  schema: object;
  example?: unknown;
}

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content>; headers?: object }>;
}

/** The operations of the document. */
async function operations(): Promise<Operation[]> {
  const { body } = await server.call('/api/v2/openapi.json');
  const paths = Object.values(body.paths as Record<string, Record<string, Operation>>);
  return paths.flatMap((methods) => Object.values(methods));
}

describe('GET /api/v2', () => {
  it('names the platform version that it implements, and the paths of the interfaces', async () => {
    const { status, body } = await server.call('/api/v2');
    expect([status, body]).toEqual([
      200,
      {
        name: 'Process Platform',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        platformVersion: '18.1',
        interfaces: {
          main: '/api/v2',
          navigation: '/navigation/workplace',
          search: '/navigation/search/workplace',
        },
      },
    ]);
  });
});

describe('GET /api/v2/openapi.json', () => {
  it('describes every route, and no other', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const described = Object.entries(body.paths as Record<string, object>).flatMap(
      ([path, operations]) => Object.keys(operations).map((method) => `${method} ${path}`),
    );
    const routed = expressRoutes(server.app).map((route) => route.replace(/:(\w+)/g, '{$1}'));
    expect(described.sort()).toEqual(routed.sort());
  });

  it('is checked against every answer: status, type and body', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const check = makeAnswerCheck(body);
    const JSON_TYPE = 'application/json; charset=utf-8';
    const judge = (
      path: string,
      status: number,
      given: object,
      type = JSON_TYPE,
      headers: string[] = [],
    ) =>
      check({
        method: 'GET',
        path,
        status,
        type,
        headers,
        body: Buffer.from(JSON.stringify(given)),
      });
    const path = '/navigation/workplace/apps/indicator';
    const counter = { type: 'COUNTER', count: 1 };
    expect(judge(path, 200, counter)).toBeUndefined();
    expect(judge(path, 200, { ...counter, count: 'x' })).toBe('/count must be integer');
    expect(judge(path, 200, { ...counter, more: 1 })).toContain('must NOT have additional');
    expect(judge(path, 201, counter)).toBe('the status 201 is not documented');
    expect(judge(path, 418, { code: 418, message: '' })).toBe('the status 418 is not documented');
    expect(judge(path, 200, counter, 'application/json')).toBe('the type application/json');
    expect(judge(path, 200, counter, 'text/html; charset=utf-8')).toContain('the type text/html');
    expect(judge(path, 204, {})).toBe('the status 204 is not documented');
    const notFound = { code: 404, message: 'Not found', reason: 'not-found', parameters: {} };
    for (const route of [path, '/nothing']) {
      expect(judge(route, 404, notFound)).toBeUndefined();
      expect(judge(route, 404, { error: 'Not found' })).toContain('must have required property');
    }
    const search = '/navigation/search/workplace';
    expect(judge(search, 404, notFound)).toBe('the status 404 is not documented');
    expect(judge(search, 406, notFound)).toContain('must');
    expect(judge(path, 200, counter, JSON_TYPE, ['ETag', 'Date'])).toBeUndefined();
    expect(judge(path, 200, counter, JSON_TYPE, ['Location', 'Link'])).toBe(
      'the header location, link is not documented',
    );
  });

  it('names each operation once, in camelCase', async () => {
    const ids = (await operations()).map(({ operationId }) => operationId);
    expect(ids.length).toBeGreaterThan(120);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id))).toEqual([]);
    expect(ids).toEqual(
      expect.arrayContaining(['signIn', 'listUsers', 'getUser', 'replaceCategory', 'getIndicator']),
    );
  });

  it('names the permission that a route asks for', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const { paths } = body as {
      paths: Record<string, Record<string, { 'x-permission'?: string }>>;
    };
    const asked = (path: string) =>
      Object.entries(paths[`/api/v2${path}`]!)
        .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
        .map(([method, operation]) => [method, operation['x-permission']]);
    const known = Object.entries(ACTIONS).flatMap(([resource, actions]) =>
      actions.map((action) => `${resource}:${action}`),
    );
    const named = Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap((operation) => operation['x-permission'] ?? []);
    expect([...new Set(named)].filter((permission) => !known.includes(permission))).toEqual([]);
    expect(asked('/directory/users/{id}/lock')).toEqual([['delete', 'users:unlock']]);
    expect(asked('/administration/parameters/{key}')).toEqual([
      ['get', 'parameters:read'],
      ['put', 'parameters:change'],
    ]);
    expect(asked('/administration/audit')).toEqual([['get', 'audit:read']]);
    expect(asked('/content/news/{id}')).toEqual([
      ['get', undefined],
      ['put', 'news:change'],
      ['patch', 'news:change'],
      ['delete', 'news:delete'],
    ]);
  });

  it('describes the query parameters that a route knows', async () => {
    const controllers = server.app
      .get(DiscoveryService, { strict: false })
      .getControllers()
      .map(({ metatype }) => metatype as Type);
    const { body } = await server.call('/api/v2/openapi.json');
    const routes = routesOf(controllers).filter(({ knownParameters }) => knownParameters);
    expect(routes.length).toBeGreaterThan(60);
    for (const { method, path, knownParameters } of routes) {
      const { parameters } = body.paths[path][method] as {
        parameters: (Parameter & { $ref?: string })[];
      };
      const resolved = parameters.map((one): Parameter =>
        one.$ref === undefined ? one : body.components.parameters[one.$ref.split('/').at(-1)!],
      );
      const described = resolved.filter((one) => one.in === 'query').map(({ name }) => name);
      expect([method, path, described]).toEqual([method, path, knownParameters]);
    }
  });

  it('has an example of each body and each answer in JSON, valid by its schema', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const validatorOf = makeValidators(body);
    const contents = (await operations()).flatMap(({ operationId, requestBody, responses }) => [
      [`the body of ${operationId}`, requestBody?.content['application/json']] as const,
      [
        `the answer of ${operationId}`,
        Object.values(responses)[0]!.content?.['application/json'],
      ] as const,
    ]);
    const seen: string[] = [];
    for (const [what, content] of contents) {
      if (!content) continue;
      const validate = validatorOf(content.schema);
      expect([what, validate(content.example) || textOf(validate)]).toEqual([what, true]);
      seen.push(what);
    }
    expect(seen.length).toBeGreaterThan(130);
  });

  it('composes an example from those of its attributes', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const { post } = body.paths['/api/v2/process/views'];
    const written = { label: 'My open claims', columns: ['title', 'priority'], sorter: 'dueDate' };
    expect(post.requestBody.content['application/json'].example).toMatchObject({
      ...written,
      application: '/navigation/applications/3',
    });
    expect(post.responses['201'].content['application/json'].example).toMatchObject({
      ...written,
      application: { reference: 'EXPENSES', label: 'Expense claims' },
    });
    const { patch } = body.paths['/api/v2/process/views/{id}'];
    for (const { example } of Object.values(patch.requestBody.content as Record<string, Content>))
      expect(example).toEqual([{ op: 'replace', path: '/sorter', value: 'dueDate' }]);
  });

  it('describes sign-ins without a body, both media types of a patch, and 304', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const signIn = body.paths['/api/v2/authentication'].post;
    expect([signIn.requestBody.required, signIn.security]).toEqual([false, [{}, { bearer: [] }]]);
    expect(body.components.securitySchemes.bearer).toEqual({
      type: 'http',
      scheme: 'bearer',
      description:
        'A token of this server, as in `X-AUTHENTICATION-KEY`; at `POST /api/v2/authentication` one of the identity provider',
    });
    const categories = body.paths['/navigation/workplace/categories'].get;
    expect(body.paths['/api/v2/directory/users'].get.security).toEqual([
      { header: [] },
      { bearer: [] },
    ]);
    expect(categories.security).toEqual([{ header: [] }, { bearer: [] }, { query: [] }]);
    const group = body.paths['/api/v2/directory/groups/{id}'];
    expect(Object.keys(group.patch.requestBody.content)).toEqual([
      'application/json-patch+json',
      'application/json',
    ]);
    const statuses = ({ get }: typeof group) => Object.keys(get.responses).slice(0, 3);
    const photo = body.paths['/api/v2/directory/users/{id}/photo'];
    for (const path of [photo, body.paths['/navigation/workplace/categories']])
      expect(statuses(path)).toEqual(['200', '304', '400']);
    expect(statuses(group)).not.toContain('304');
  });

  it('describes which operations request, set, read and delete the cookie of a browser session', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const { parameters, securitySchemes } = body.components;
    const { post: signIn, delete: signOut } = body.paths['/api/v2/authentication'];
    const { post: renew } = body.paths['/api/v2/authentication/renewal'];
    expect(securitySchemes.cookie).toEqual({
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-session',
      description: '`__Secure-session` below a base path, `session` over plain HTTP',
    });
    expect(renew.security).toEqual([{ cookie: [] }]);
    expect(signIn.parameters).toEqual([{ $ref: '#/components/parameters/PreferRenewal' }]);
    expect(parameters.PreferRenewal).toMatchObject({ name: 'Prefer', in: 'header' });
    const headersOf = ({ responses }: { responses: Record<string, { headers: object }> }) =>
      Object.keys((responses['200'] ?? responses['204']!).headers);
    expect(headersOf(signIn)).toEqual(['X-Request-Id', 'Set-Cookie', 'Preference-Applied']);
    for (const operation of [renew, signOut])
      expect(headersOf(operation)).toEqual(['X-Request-Id', 'Set-Cookie']);
  });

  it('declares and describes X-Warning for every PATCH of a resource, for the writes of tasks and for users who leave', async () => {
    const warnings = (await operations()).flatMap(({ operationId, responses }) =>
      Object.values(responses).flatMap(({ headers = {} }) =>
        'X-Warning' in headers
          ? [[operationId, (headers['X-Warning'] as { description: string }).description]]
          : [],
      ),
    );
    const {
      createTask,
      patchTask,
      replaceTask,
      replaceUser,
      deleteUser,
      eraseUser,
      actOnTasks,
      createRoleAssignment,
      replaceRoleAssignment,
      ...others
    } = Object.fromEntries(warnings);
    expect(createTask).toContain('`/navigation/applications/13 is hidden from /directory/users/3`');
    expect(replaceTask).toBe(createTask);
    expect(createRoleAssignment).toContain('`/directory/users/3 has 2 API keys');
    expect(replaceRoleAssignment).toBe(createRoleAssignment);
    expect(actOnTasks).toContain('`only the first 1000 tasks`');
    const unchanged = 'the object is as it was: `the patch changes nothing`';
    expect(patchTask).toBe(`${unchanged}; or ${createTask}`);
    expect(others).toMatchObject({
      patchUser: `${unchanged}; or ${replaceUser}`,
      patchCategory: unchanged,
    });
    for (const leaving of [replaceUser, deleteUser, eraseUser])
      expect(leaving).toContain('`/directory/users/3 still has openTasks 12, groups 1`');
    expect(Object.keys(others).filter((name) => !name.startsWith('patch'))).toEqual([]);
  });

  it('lists 429 for each operation that counts a view with the limits of a search', async () => {
    const counting = (await operations()).filter(({ operationId }) =>
      ['getIndicator', 'countView', 'getView'].includes(operationId),
    );
    expect(counting.map(({ responses }) => '429' in responses)).toEqual([true, true, true]);
  });

  it('names no attribute that no answer has, and knows the secret ones of bodies', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const { schemas } = body.components;
    expect(Object.keys(schemas.UserBody.properties)).toContain('password');
    expect(Object.keys(schemas.UserDetailed.properties)).not.toContain('password');
    expect(schemas.UserBody.required).toEqual(['login', 'lastName']);
  });
});

describe('a schema', () => {
  it('admits null exactly where a value may be blank, and names the limits of lists', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const { schemas, parameters } = body.components;
    expect(schemas.CategoryBody.properties.title.type).toBe('string');
    expect(schemas.Application.properties.type.enum).toEqual(['PROCESS', 'LINK']);
    expect(schemas.UserBody.properties.password.maxLength).toBe(128);
    const { columns, filters } = schemas.ViewBody.properties;
    expect([columns.type, columns.maxItems]).toEqual([['array', 'null'], 50]);
    expect([filters.type, filters.maxItems]).toEqual([['array', 'null'], 20]);
    expect(schemas.ApiKeyBody.properties.expiration.format).toBe('date-time');
    expect(parameters.Range.schema.pattern).toBe('^\\d{1,10}-\\d{1,4}$');
  });

  it('requires only the external id of a task of a push, and describes attributes that are given by name', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const { schemas } = body.components;
    expect(schemas.PushItemBody.required).toEqual(['externalId']);
    const taken = Object.keys(schemas.PushItemBody.properties as object);
    expect(taken.filter((name) => name === 'source' || name === 'reference')).toEqual([]);
    const { content } = body.paths['/api/v2/process/tasks'].put.requestBody;
    expect(content['application/json'].schema.maxItems).toBe(1000);
    const { assignee, candidates, group } = schemas.TaskBody.properties;
    for (const user of [assignee, candidates.items, schemas.UserBody.properties.manager])
      expect(Object.keys(user.properties)).toEqual(['id', 'uri', 'login', 'reference']);
    expect(Object.keys(group.properties)).toEqual(['id', 'uri', 'reference']);
    const [parameter] = body.paths['/api/v2/directory/groups/{id}/members/{userId}'].put.parameters;
    expect(parameter).toMatchObject({
      name: 'id',
      description: 'the id, or the login of a user or the reference of anything else',
    });
  });

  it('has the limits and defaults of the class of a body of fixed shape', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const { EndpointCredentialsBody, CredentialsBody, ReplayBody, FetchBody } =
      body.components.schemas;
    expect(EndpointCredentialsBody.required).toEqual(['scheme']);
    expect(EndpointCredentialsBody.properties).toMatchObject({
      scheme: { enum: ['none', 'basic', 'bearer', 'oauth'] },
      secret: { type: ['string', 'null'], minLength: 1, maxLength: 8_000 },
    });
    expect(CredentialsBody.properties.login).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 250,
    });
    expect(ReplayBody.properties.from).toEqual({ type: ['string', 'null'], format: 'date-time' });
    const { limit } = FetchBody.properties;
    expect(limit).toEqual({ type: ['integer', 'null'], minimum: 1, maximum: 1_000, default: 10 });
  });

  it('has the limits of the server for bodies of workers', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const { FailBody, RefuseBody, FetchBody } = body.components.schemas;
    expect(FailBody.properties).toMatchObject({
      worker: { minLength: 1, maxLength: 200 },
      deliveries: { minItems: 1, maxItems: 1000 },
      retries: { minimum: 0, maximum: 1000 },
      delay: { minimum: 0, maximum: 2_592_000 },
      message: { maxLength: 1000 },
    });
    expect(RefuseBody.properties.reason).toMatchObject({ minLength: 1, maxLength: 500 });
    expect(FetchBody.properties.limit).toMatchObject({ minimum: 1, maximum: 1000 });
  });

  it('has an example for a required query parameter, and the reason phrase of HTTP for a success', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const { responses } = body.paths['/api/v2/directory/users'].post;
    expect(responses['201'].description).toBe('Created');
    for (const { get } of Object.values(
      body.paths as Record<string, { get?: { parameters: object[] } }>,
    ))
      for (const parameter of get?.parameters ?? [])
        if (
          'required' in parameter &&
          parameter.required &&
          'in' in parameter &&
          parameter.in === 'query'
        )
          expect(parameter).toHaveProperty('example');
  });
});

describe('the schemas of answers', () => {
  interface Node {
    [name: string]: unknown;
    additionalProperties?: boolean;
    properties?: Record<string, Node>;
  }

  /** All schemas below a part of the description, with the place of each; a `$ref` is followed. */
  function* schemasIn(
    document: Node,
    node: unknown,
    place: string,
    seen = new Set<unknown>(),
  ): Generator<readonly [place: string, schema: Node]> {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    yield [place, node as Node] as const;
    for (const [name, part] of Object.entries(node)) {
      if (name === 'example' || name === 'examples') continue;
      const target = name === '$ref' ? String(part).split('/').slice(1) : undefined;
      const next = target
        ? target.reduce<unknown>((within, key) => (within as Node)[key], document)
        : part;
      yield* schemasIn(document, next, target?.at(-1) ?? `${place}/${name}`, seen);
    }
  }

  async function schemasOf(part: 'requestBody' | 'responses') {
    const { body } = await server.call('/api/v2/openapi.json');
    const parts = (await operations()).flatMap((operation) => operation[part] ?? []);
    return [...schemasIn(body as Node, parts, '')];
  }

  it('let later versions add attributes, those of bodies do not', async () => {
    const [answers, bodies] = [await schemasOf('responses'), await schemasOf('requestBody')];
    const closedIn = (schemas: typeof answers) =>
      schemas.flatMap(([place, schema]) => (schema.additionalProperties === false ? place : []));
    expect(closedIn(answers)).toEqual([]);
    expect(closedIn(bodies)).toEqual(
      expect.arrayContaining(['CredentialsBody', 'ApiKeyBody', 'OneClick']),
    );
  });

  it('give every moment the format date-time, and no path a format of a resolvable link', async () => {
    const answers = await schemasOf('responses');
    const attributes = answers.flatMap(([place, { properties }]) =>
      // These have texts for people.
      /(Displayed|Record)$/.test(place)
        ? []
        : Object.entries(properties ?? {}).map(
            ([name, schema]) => [`${place}.${name}`, JSON.stringify(schema)] as const,
          ),
    );
    const moments = attributes.filter(([name]) =>
      /(?<!\.upTo)Date$|Until$|\.(expiration|since)$/.test(name),
    );
    expect(moments.length).toBeGreaterThan(60);
    expect(moments.filter(([, schema]) => !schema.includes('"format":"date-time"'))).toEqual([]);
    const links = attributes.filter(([, schema]) => schema.includes('uri-reference'));
    expect(links.filter(([name]) => !/\.(photo|href)$/.test(name))).toEqual([]);
  });

  it('have the header Content-Disposition for pictures and files', async () => {
    const files = (await operations()).flatMap(({ operationId, responses }) =>
      'Content-Disposition' in (responses['200']?.headers ?? {}) ? [operationId] : [],
    );
    expect(files.sort()).toEqual(['getPhoto', 'getPicture', 'getTaskFile']);
  });
});

describe('the schema of a list', () => {
  it('is an array of the machine form, to which the form for people stands aside', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const { paths, components } = body;
    const { content } = paths['/api/v2/directory/users'].get.responses['200'];
    expect(content['application/json'].schema).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/User' },
    });
    expect(components.parameters.ResponseMode.description).toContain('UserDisplayed');
    const validatorOf = makeValidators(body);
    const displayed = Object.keys(components.schemas as object).filter((name) =>
      name.endsWith('Displayed'),
    );
    expect(displayed.length).toBeGreaterThan(15);
    for (const name of displayed) {
      const validate = validatorOf({ $ref: `#/components/schemas/${name}` });
      for (const example of components.schemas[name].examples as unknown[])
        expect([name, validate(example) || textOf(validate)]).toEqual([name, true]);
    }
  });
});

describe('the schema of a patch', () => {
  it('is one of six operations, distinguished by op', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const { oneOf, discriminator } = body.components.schemas.JsonPatch.items;
    const ops = ['add', 'remove', 'replace', 'move', 'copy', 'test'];
    expect(Object.keys(discriminator.mapping as object)).toEqual(ops);
    expect((oneOf as { $ref: string }[]).map(({ $ref }) => $ref)).toEqual(
      Object.values(discriminator.mapping as object),
    );
    const validate = makeValidators(body)({ $ref: '#/components/schemas/JsonPatch' });
    const path = '/title';
    for (const valid of [
      { op: 'remove', path },
      { op: 'add', path, value: null },
      { op: 'copy', path, from: path },
    ])
      expect([valid, validate([valid])]).toEqual([valid, true]);
    for (const invalid of [
      { path },
      { op: 'add', path },
      { op: 'move', path },
      { op: 'put', path },
    ])
      expect([invalid, validate([invalid])]).toEqual([invalid, false]);
  });
});

describe('the record of a search', () => {
  it('is described field by field, for each value of searchName', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const { schemas } = body.components;
    const validatorOf = makeValidators(body);
    const token = await server.signIn('alice.martin');
    const records = {
      workplace_searchUsers: 'UserRecord',
      workplace_documents_search: 'DocumentRecord',
      workplace_news_search: 'NewsRecord',
      workplace_faq_search: 'FaqRecord',
      workplace_customers_search: 'CustomerRecord',
      workplace_searchApplications: 'ApplicationRecord',
      workplace_searchTasks: 'TaskRecord',
    };
    expect(schemas.SearchName.enum).toEqual(Object.keys(records));
    for (const [searchName, schema] of Object.entries(records)) {
      const query = `query=*&searchName=${searchName}&searchField=quickSearch`;
      const { data } = (await server.call(`/navigation/search/workplace?${query}`, { token }))
        .body as { data: object[] };
      expect([searchName, data.length > 1]).toEqual([searchName, true]);
      for (const record of data) {
        const validate = validatorOf({ $ref: `#/components/schemas/${schema}` });
        expect([schema, validate(record) || textOf(validate)]).toEqual([schema, true]);
        expect(Object.keys(schemas[schema].properties as object)).toEqual(Object.keys(record));
      }
    }
  });
});

describe('null in the schema of a row', () => {
  interface ValueSchema {
    type?: string | string[];
    enum?: unknown[];
    oneOf?: ValueSchema[];
  }

  const admitsNull = ({ type = [], enum: codes = [], oneOf = [] }: ValueSchema): boolean =>
    [type].flat().includes('null') || codes.includes(null) || oneOf.some(admitsNull);

  /** The objects behind these may be hidden from a viewer of the row. */
  const HIDDEN = ['role-assignments.role', 'tasks.application', 'views.application'];

  it('stands for a column that may be empty, or for a value that the caller may not see', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const columns = await server.database.query<{ place: string }>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
       WHERE table_schema = 'public' AND is_nullable = 'NO'`,
    );
    const required = new Set(columns.map(({ place }) => place));
    const found = listedResources().flatMap(({ name, ref, attributes, schemaName }) =>
      [...attributes.values()].flatMap((attribute) => {
        const { confidential, permission, detailedOnly } = attribute.options;
        if (confidential || permission !== undefined || attribute.type === 'object') return [];
        const { properties } = body.components.schemas[
          detailedOnly ? `${schemaName}Detailed` : schemaName
        ] as { properties: Record<string, ValueSchema> };
        const isRequired = required.has(`${ref.table}.${attribute.column}`);
        return isRequired && admitsNull(properties[attribute.name]!)
          ? [`${name}.${attribute.name}`]
          : [];
      }),
    );
    expect(found.sort()).toEqual(HIDDEN);
  });

  it('is there wherever a row of the demonstration has null', async () => {
    const { body } = await server.call('/api/v2/openapi.json');
    const check = makeAnswerCheck(body);
    const lists = Object.entries(
      body.paths as Record<string, { get?: { parameters: { $ref?: string }[] } }>,
    ).filter(
      ([path, { get }]) =>
        !path.includes('{') && get?.parameters.some(({ $ref }) => $ref?.endsWith('/Range')),
    );
    let rows = 0;
    for (const login of ['sysadmin', 'alice.martin', 'bruno.keller']) {
      const token = await server.signIn(login);
      for (const [path] of lists)
        for (const query of ['range=0-500', 'range=0-500&responseMode=user']) {
          const answer = await server.call(`${path}?${query}`, { token });
          const { status, headers, text } = answer;
          const problem = check({
            ...{ method: 'GET', path, query, status, headers: [], body: Buffer.from(text) },
            type: String(headers['content-type']),
          });
          expect([login, path, problem]).toEqual([login, path, undefined]);
          if (status === 200) rows += (answer.body as unknown[]).length;
        }
    }
    expect(rows).toBeGreaterThan(2_000);
  });
});

describe('GET /api/v2/reference', () => {
  it('is a page without script, under a strict policy', async () => {
    const answer = await server.call('/api/v2/reference', { headers: { Accept: 'text/html' } });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(answer.text).toContain('/api/v2/directory/users/{id}');
    // An example may show a URL as text; no element refers to one.
    expect(answer.text).not.toMatch(/<script|<[^>]*https?:\/\//);
  });
});
