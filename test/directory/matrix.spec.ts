import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { createRooms } from '../example-resource/create-rooms.js';
import { RoomsModule } from '../example-resource/rooms.module.js';
import { fieldNames } from '../support/call.js';
import { idOf } from '../support/id-of.js';
import { expressRoutes } from '../support/routes.js';
import { schemaChanges } from '../support/schema-changes.js';
import { servedResources } from '../support/server-resources.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Calls every route as every role; a route or resource that is missing here fails the test. */

const ROLES = ['guest', 'user', 'owner', 'administrator', 'sysadmin'] as const;
type Role = (typeof ROLES)[number];
/** The statuses in the order of ROLES. */
type Statuses = [number, number, number, number, number];

/** For each resource a body that creates one, and a change by PATCH; see `fill` for the names in capitals. */
const BODIES: Record<string, { body: object; change: [path: string, value: unknown] }> = {
  users: { body: { login: 'LOGIN', lastName: 'Matrix' }, change: ['/nickName', 'M'] },
  'service-accounts': {
    body: { login: 'LOGIN', title: 'Matrix' },
    change: ['/callsPerMinute', 60],
  },
  providers: { body: { label: 'Matrix', kind: 'ldap' }, change: ['/dryRun', true] },
  organizations: { body: { label: 'Matrix' }, change: ['/description', 'M'] },
  groups: { body: { label: 'Matrix' }, change: ['/description', 'M'] },
  roles: { body: { label: 'Matrix', permissions: ['news:*'] }, change: ['/description', 'M'] },
  'role-assignments': {
    body: { user: 'OWNER', role: 'editor', group: 'PLACE' },
    change: ['/group', null],
  },
  categories: { body: { title: 'Matrix' }, change: ['/position', 3] },
  applications: { body: { title: 'Matrix', type: 'LINK' }, change: ['/position', 3] },
  tasks: {
    body: { title: 'Matrix', application: 'APPLICATION', assignee: 'OWNER' },
    change: ['/status', 'done'],
  },
  sources: {
    body: { label: 'Matrix', serviceAccount: 'OWNER' },
    change: ['/snapshotBrake', 5],
  },
  absences: {
    body: {
      user: 'OWNER',
      substitute: 'SUBSTITUTE',
      startDate: 'YEAR-01-01T00:00:00Z',
      endDate: 'YEAR-02-01T00:00:00Z',
    },
    change: ['/application', null],
  },
  endpoints: { body: { label: 'Matrix', mode: 'pull' }, change: ['/status', 'paused'] },
  views: { body: { label: 'Matrix', application: 'APPLICATION' }, change: ['/sorter', 'dueDate'] },
  'task-filters': {
    body: { label: 'Matrix', filters: ['dueDate:lt:@now'], sharedWithEveryone: true },
    change: ['/sorter', 'dueDate'],
  },
  documents: { body: { title: 'Matrix' }, change: ['/version', '2'] },
  news: { body: { title: 'Matrix' }, change: ['/category', 'M'] },
  faqs: { body: { question: 'Matrix' }, change: ['/answer', 'M'] },
  customers: { body: { name: 'Matrix' }, change: ['/city', 'M'] },
  rooms: { body: { label: 'Matrix', seats: 4 }, change: ['/seats', 5] },
};

/** The statuses for an object without an owner that every user sees; see `expected` for the exceptions. */
const COMMON: Record<string, Statuses> = {
  list: [401, 200, 200, 200, 200],
  attributes: [401, 200, 200, 200, 200],
  get: [401, 200, 200, 200, 200],
  post: [401, 403, 403, 201, 201],
  put: [401, 403, 403, 200, 200],
  patch: [401, 403, 403, 200, 200],
  delete: [401, 403, 403, 204, 204],
};

/** The exceptions: a task exists only for its assignees; people and assignees may change some attributes. */
const EXCEPTIONS: Record<string, Record<string, Statuses>> = {
  users: { put: [401, 403, 200, 200, 200], patch: [401, 403, 200, 200, 200] },
  // Each sees its own.
  'service-accounts': { get: [401, 404, 404, 200, 200] },
  // Only administrators see providers.
  providers: { get: [401, 404, 404, 200, 200] },
  // People see the roles that they have.
  roles: { get: [401, 404, 404, 200, 200] },
  'role-assignments': { get: [401, 404, 200, 200, 200] },
  // Only administrators see endpoints.
  endpoints: { get: [401, 404, 404, 200, 200] },
  tasks: {
    get: [401, 404, 200, 200, 200],
    put: [401, 404, 200, 200, 200],
    patch: [401, 404, 200, 200, 200],
  },
  sources: { get: [401, 404, 200, 200, 200] },
  // People write their own.
  absences: {
    get: [401, 404, 200, 200, 200],
    post: [401, 403, 201, 201, 201],
    put: [401, 404, 200, 200, 200],
    patch: [401, 404, 200, 200, 200],
    delete: [401, 404, 204, 204, 204],
  },
  // Everybody saves filters, and administrators alone share them with everyone.
  'task-filters': { post: [401, 400, 400, 201, 201] },
};

const WORK = { worker: 'w', deliveries: ['1'] };
const LOCK = {
  workerId: 'w',
  topics: [{ topicName: 'NONE', lockDuration: 1000 }],
  lockDuration: 1000,
  newDuration: 1000,
};
const U = '/api/v2/directory/users/OWNER';
const A = '/api/v2/administration';
const LIFETIME = 'com.platform.security.Token.lifetime';
const S = '/api/v2/directory/service-accounts/SERVICE';
const G = '/api/v2/directory/groups/GROUP';
const same = (status: number): Statuses => [status, status, status, status, status];
const signedIn = (status: number): Statuses => [401, status, status, status, status];

/** The routes outside the resources; see `fill` for the names in capitals. */
const OTHERS: [route: string, statuses: Statuses, body?: unknown][] = [
  ['GET /api/v2', same(200)],
  ['GET /api/v2/attributes', signedIn(200)],
  ['GET /api/v2/openapi.json', same(200)],
  ['GET /api/v2/reference', same(200)],
  ['GET /health/live', same(200)],
  ['GET /health/ready', same(200)],
  ['POST /api/v2/authentication', same(401), { login: 'x', password: 'x' }],
  ['POST /api/v2/authentication/backchannel-logout', same(400)],
  ['POST /api/v2/authentication/passkey', same(409)],
  ['POST /api/v2/authentication/password-reset', same(404), { login: 'x' }],
  ['GET /api/v2/authentication', signedIn(200)],
  ['POST /api/v2/authentication/confirmation', signedIn(400), { password: 'wrong' }],
  ['POST /api/v2/authentication/renewal', same(403)],
  ['GET /api/v2/directory/password-rules', same(200)],
  ['POST /api/v2/directory/invitations', same(400), { code: 'x', password: 'x' }],
  ['POST /api/v2/directory/invitations/check', same(400), { code: 'x' }],
  ['GET /api/v2/directory/users/me', signedIn(200)],
  [
    'PATCH /api/v2/directory/users/me',
    signedIn(200),
    [{ op: 'replace', path: '/description', value: 'x' }],
  ],
  ['PUT /api/v2/directory/users/me', [401, 403, 403, 400, 409], { phoneNumber: 1 }],
  [`PUT ${U}/password`, [401, 403, 400, 400, 400], { password: 'weak' }],
  [`GET ${U}/tokens`, [401, 403, 200, 200, 200]],
  [`DELETE ${U}/tokens/999999`, [401, 403, 404, 404, 404]],
  [`GET ${U}/api-keys`, [401, 403, 200, 200, 200]],
  [`POST ${U}/api-keys`, [401, 403, 201, 201, 201], { name: 'Matrix' }],
  [`DELETE ${U}/api-keys/999999`, [401, 403, 404, 404, 404]],
  [`POST ${U}/api-keys/999999/rotation`, [401, 403, 404, 404, 404], {}],
  [`DELETE ${U}/api-keys`, [401, 403, 204, 204, 204]],
  [`DELETE ${U}/managed-by`, [401, 403, 403, 204, 204]],
  [`DELETE ${G}/managed-by`, [401, 403, 403, 204, 204]],
  // Only the service account of a provider.
  ...[
    ...['GET', 'POST', 'GET/', 'PUT/', 'PATCH/', 'DELETE/', 'POST/.search'].flatMap((one) =>
      ['Users', 'Groups'].map((kind) => {
        const [method, rest] = one.split('/');
        const path = rest === undefined ? '' : rest === '' ? '/999999' : `/${rest}`;
        return `${method} /scim/v2/${kind}${path}`;
      }),
    ),
    ...['GET /scim/v2/ServiceProviderConfig', 'POST /scim/v2/.search', 'POST /scim/v2/Bulk'],
    ...['ResourceTypes', 'Schemas'].flatMap((name) => [
      `GET /scim/v2/${name}`,
      `GET /scim/v2/${name}/999999`,
    ]),
  ].map((route): [string, Statuses, unknown] => [
    route,
    signedIn(403),
    /GET|DELETE/.test(route) ? undefined : {},
  ]),
  ['GET /api/v2/directory/providers/999999/requests', signedIn(404)],
  ['GET /api/v2/directory/providers/999999/runs', signedIn(404)],
  ['GET /api/v2/directory/providers/999999/runs/999999', signedIn(404)],
  ['POST /api/v2/directory/providers/999999/synchronizations', [401, 403, 403, 404, 404], {}],
  ['POST /api/v2/directory/providers/999999/connection-test', [401, 403, 403, 404, 404]],
  [
    'POST /api/v2/directory/providers/999999/person-test',
    [401, 403, 403, 404, 404],
    { login: 'a' },
  ],
  [`GET ${S}/api-keys`, [401, 404, 404, 200, 200]],
  [
    `POST ${S}/api-keys`,
    [401, 404, 404, 201, 201],
    { name: 'Matrix', expiration: '2999-01-01T00:00:00Z' },
  ],
  [`POST ${S}/api-keys/999999/rotation`, [401, 404, 404, 404, 404], {}],
  [`DELETE ${S}/api-keys/999999`, [401, 404, 404, 404, 404]],
  [`DELETE ${S}/api-keys`, [401, 404, 404, 204, 204]],
  [
    'POST /api/v2/authentication/token-exchange',
    signedIn(403),
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'bruno.keller',
      subject_token_type: 'urn:process-platform:token-type:login',
    },
  ],
  [`GET ${U}/rights`, [401, 403, 200, 200, 200]],
  [`GET ${U}/second-steps`, [401, 403, 200, 200, 200]],
  [`POST ${U}/second-steps/authenticator-app`, [401, 403, 409, 403, 403]],
  [
    `POST ${U}/second-steps/authenticator-app/confirmation`,
    [401, 403, 400, 403, 403],
    { code: 'x' },
  ],
  [`POST ${U}/second-steps/passkey`, [401, 403, 409, 403, 403]],
  [`POST ${U}/second-steps/passkey/confirmation`, [401, 403, 400, 403, 403], { name: 'x' }],
  [`POST ${U}/second-steps/recovery-codes`, [401, 403, 409, 403, 403]],
  [`DELETE ${U}/second-steps/999999`, [401, 403, 404, 403, 403]],
  [`GET ${U}/second-step-reset`, [401, 403, 403, 404, 404]],
  [`POST ${U}/second-step-reset`, [401, 403, 403, 409, 409]],
  [`POST ${U}/second-step-reset/confirmation`, [401, 403, 403, 404, 404]],
  [`DELETE ${U}/second-step-reset`, [401, 403, 403, 204, 204]],
  [`GET ${U}/responsibilities`, [401, 403, 200, 200, 200]],
  [`POST ${U}/handover`, [401, 403, 403, 200, 200], { to: 'alice.martin', dryRun: true }],
  [`POST ${U}/erasure`, [401, 403, 409, 400, 400], { login: 'nobody' }],
  [`GET ${U}/personal-data`, [401, 403, 200, 200, 200]],
  [`GET ${U}/identities`, [401, 403, 200, 200, 200]],
  [`DELETE ${U}/identities/999999`, [401, 403, 404, 404, 404]],
  [`DELETE ${U}/identities`, [401, 403, 204, 204, 204]],
  [`GET ${U}/mail-settings`, [401, 403, 200, 200, 200]],
  [`PUT ${U}/mail-settings`, [401, 403, 400, 400, 400], { digest: 1 }],
  ['POST /workplace/stop-mails/999999', same(415), {}],
  [`DELETE ${U}/lock`, [401, 403, 403, 204, 204]],
  [`POST ${U}/invitation`, [401, 403, 403, 201, 201]],
  [
    'POST /api/v2/directory/users/invitations',
    [401, 403, 403, 200, 200],
    { users: ['999999'], delivery: 'link' },
  ],
  [`DELETE ${U}/invitation`, [401, 403, 204, 204, 204]],
  [`GET ${U}/photo`, [401, 200, 200, 200, 200]],
  [`PUT ${U}/photo`, [401, 403, 204, 204, 204], 'PICTURE'],
  [`GET ${G}/members`, signedIn(200)],
  ['GET /api/v2/directory/organizations/ORGANIZATION/members', signedIn(200)],
  [`PUT ${G}/members/OWNER`, [401, 403, 403, 204, 204]],
  [`DELETE ${G}/members/OWNER`, [401, 403, 403, 204, 204]],
  [`GET ${A}/parameters`, [401, 403, 403, 403, 200]],
  [`GET ${A}/parameters/${LIFETIME}`, [401, 403, 403, 403, 200]],
  [`PUT ${A}/parameters/${LIFETIME}`, [401, 403, 403, 403, 200], { value: 3600 }],
  [`GET ${A}/address-check`, [401, 403, 403, 200, 200]],
  [`GET ${A}/audit`, [401, 403, 403, 200, 200]],
  [`GET ${A}/audit/attributes`, [401, 403, 403, 200, 200]],
  ['GET /api/v2/process/views/VIEW/records', signedIn(200)],
  ['PUT /api/v2/process/tasks?source=none', signedIn(400), []],
  ['POST /api/v2/process/tasks/999999/claim', signedIn(404)],
  ['POST /api/v2/process/tasks/999999/release', signedIn(404)],
  ['GET /api/v2/process/tasks/999999/history', signedIn(404)],
  ['GET /api/v2/process/tasks/999999/comments', signedIn(404)],
  ['POST /api/v2/process/tasks/999999/comments', signedIn(404), { text: 'Matrix' }],
  ['GET /api/v2/process/tasks/999999/files', signedIn(404)],
  ['POST /api/v2/process/tasks/999999/files?name=a', signedIn(404)],
  ['GET /api/v2/process/tasks/999999/files/1', signedIn(404)],
  ['DELETE /api/v2/process/tasks/999999/files/1', signedIn(404)],
  ['POST /api/v2/process/tasks/bulk', signedIn(200), { action: 'claim', tasks: ['999999'] }],
  ['GET /api/v2/process/tasks/waiting', signedIn(200)],
  ['GET /api/v2/process/tasks/waiting/counts', signedIn(200)],
  ['GET /api/v2/process/tasks/waiting/filters', signedIn(200)],
  ['GET /api/v2/process/task-filters/999999/records', signedIn(404)],
  ['GET /api/v2/process/views/preview?user=OWNER&application=1', [401, 403, 403, 200, 200]],
  [
    'POST /api/v2/process/tiles',
    [401, 403, 403, 201, 201],
    { application: { title: 'Matrix', type: 'PROCESS' }, view: { label: 'Matrix' } },
  ],
  [
    'PUT /api/v2/process/tiles/999999',
    [401, 403, 403, 404, 404],
    { application: { title: 'Matrix', type: 'PROCESS' }, view: { label: 'Matrix' } },
  ],
  ['POST /api/v2/process/endpoints/999999/secrets', [401, 403, 403, 404, 404], {}],
  [
    'PUT /api/v2/process/endpoints/999999/credentials',
    [401, 403, 403, 404, 404],
    { scheme: 'none' },
  ],
  ['POST /api/v2/process/endpoints/999999/test', [401, 403, 403, 404, 404]],
  ['POST /api/v2/process/endpoints/999999/replay', [401, 403, 403, 404, 404], { failed: true }],
  ['POST /api/v2/process/endpoints/999999/retry', [401, 403, 403, 404, 404]],
  ['POST /api/v2/administration/imports/nothing', [401, 403, 403, 404, 404]],
  ['GET /api/v2/process/endpoint-alerts', [401, 403, 403, 200, 200]],
  ['GET /api/v2/process/sources/999999/unknown', [401, 404, 404, 404, 404]],
  ['GET /api/v2/process/endpoints/999999/deliveries', [401, 403, 403, 404, 404]],
  ['POST /api/v2/process/endpoints/999999/fetch', [401, 403, 403, 404, 404], { worker: 'w' }],
  ['POST /api/v2/process/endpoints/999999/complete', [401, 403, 403, 404, 404], WORK],
  ['POST /api/v2/process/endpoints/999999/fail', [401, 403, 403, 404, 404], WORK],
  [
    'POST /api/v2/process/endpoints/999999/refuse',
    [401, 403, 403, 404, 404],
    { ...WORK, reason: 'no budget' },
  ],
  ['POST /api/v2/process/endpoints/999999/unlock', [401, 403, 403, 404, 404], WORK],
  [
    'POST /api/v2/process/endpoints/999999/extend',
    [401, 403, 403, 404, 404],
    { ...WORK, lease: 60 },
  ],
  ['POST /engine-rest/external-task/fetchAndLock', [401, 403, 403, 404, 404], LOCK],
  ['POST /engine-rest/external-task/999999/complete', [401, 403, 403, 404, 404], LOCK],
  ['POST /engine-rest/external-task/999999/failure', [401, 403, 403, 404, 404], LOCK],
  ['POST /engine-rest/external-task/999999/bpmnError', [401, 403, 403, 404, 404], LOCK],
  ['POST /engine-rest/external-task/999999/lock', [401, 403, 403, 404, 404], LOCK],
  ['POST /engine-rest/external-task/999999/extendLock', [401, 403, 403, 404, 404], LOCK],
  ['POST /engine-rest/external-task/999999/unlock', [401, 403, 403, 404, 404]],
  ['GET /api/v2/changes?kinds=categories', signedIn(200)],
  ['GET /api/v2/directory/users/me/favourites', signedIn(200)],
  ['PUT /api/v2/directory/users/me/favourites', signedIn(200), { applications: ['1'] }],
  ['GET /api/v2/navigation/preview?user=OWNER', [401, 403, 403, 200, 200]],
  ['GET /navigation/workplace', signedIn(200)],
  ['PUT /navigation/workplace/favourites/APPLICATION', signedIn(200)],
  ['DELETE /navigation/workplace/favourites/APPLICATION', signedIn(200)],
  // A GET would not end.
  ['HEAD /navigation/workplace/events', signedIn(200)],
  ['GET /navigation/workplace/categories', signedIn(200)],
  ['GET /navigation/workplace/apps?category=1', signedIn(200)],
  ['GET /navigation/workplace/apps/indicator?applicationUri=1', signedIn(200)],
  ['GET /navigation/workplace/views/count?applicationUri=1', signedIn(200)],
  ['GET /navigation/directory/users/OWNER/photo', signedIn(200)],
  // Envelopes have status 200 for every error.
  ['GET /navigation/search/workplace', same(200)],
  ['GET /navigation/search/workplace/all?query=a', same(200)],
  ['GET /navigation/search/workplace/suggestions?query=a', same(200)],
  // These revoke tokens, so they come last.
  [`DELETE ${U}/photo`, [401, 403, 404, 204, 404]],
  [`DELETE ${U}/tokens`, [401, 403, 204, 204, 204]],
  ['DELETE /api/v2/authentication', [401, 204, 401, 204, 204]],
];

const resources = servedResources([RoomsModule]);

let server: TestServer;
let picture: Buffer;
const tokens: Partial<Record<Role, string>> = {};
const ids: Record<string, string> = {};
let logins = 0;

beforeAll(async () => {
  server = await startTestServer({}, { modules: [RoomsModule], prepare: createRooms });
  // The limit of writes would count here.
  await server.database.query(
    `INSERT INTO parameters (key, value) VALUES ('security.Throttle.writes', '1000')`,
  );
  await server.database.query(
    `INSERT INTO groups (reference, label) SELECT 'PLACE-' || n, 'A place' FROM generate_series(1, 5000) n`,
  );
  tokens.user = await server.signIn('bruno.keller');
  tokens.owner = await server.signIn('chloe.lefevre');
  tokens.administrator = await server.signInForLong('alice.martin');
  tokens.sysadmin = await server.signInForLong('sysadmin');
  ids.OWNER = await idOf(server, 'users', 'chloe.lefevre');
  ids.SUBSTITUTE = await idOf(server, 'users', 'sophie.bohm');
  ids.ORGANIZATION = await idOf(server, 'organizations', 'SALES');
  ids.GROUP = await idOf(server, 'groups', 'HIRING');
  ids.APPLICATION = await idOf(server, 'applications', 'LEAVE');
  const service = { login: 'matrix', title: 'Matrix' };
  const made = await server.call('/api/v2/directory/service-accounts', {
    method: 'POST',
    token: tokens.administrator,
    body: service,
  });
  ids.SERVICE = String(made.body.id);
  ids.VIEW = await idOf(server, 'views', 'LEAVE-OPEN');
  picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
});
afterAll(() => server.close());

/** Replaces the names of `ids` by the ids, and LOGIN by an unused login, PLACE by an unused group. */
const fill = <T>(value: T): T => {
  let text = JSON.stringify(value)
    .replaceAll('LOGIN', `matrix.${++logins}`)
    .replaceAll('PLACE', `PLACE-${logins}`)
    .replaceAll('YEAR', String(3000 + logins));
  for (const [name, id] of Object.entries(ids)) text = text.replaceAll(name, id);
  return JSON.parse(text) as T;
};

/** Creates a resource as the administrator; for users, `owner` is the user itself. */
async function make(name: string, path: string, role: Role): Promise<string> {
  if (name === 'users' && role === 'owner') return ids.OWNER!;
  const body = fill(BODIES[name]!.body);
  const made = await server.call(path, { method: 'POST', token: tokens.administrator, body });
  expect([name, made.status, made.text]).toEqual([name, 201, expect.anything()]);
  return made.body.id as string;
}

describe('the matrix', () => {
  const covered = new Set<string>();

  it('contains every resource', () => {
    const names = resources.map(({ name }) => name);
    expect(Object.keys(BODIES).sort()).toEqual(names.sort());
  });

  for (const [name, { body, change }] of Object.entries(BODIES))
    for (const [at, role] of ROLES.entries())
      it(`${name} × every verb × ${role}`, async () => {
        const { uri } = resources.find((one) => one.name === name)!.ref;
        const path = `/api/v2${uri}`;
        const id = await make(name, path, role);
        const token = tokens[role];
        const one = `${path}/${id}`;
        const admin = tokens.administrator;
        const current = (await server.call(one, { token: admin })).body as object;
        const operations = [{ op: 'replace', path: change[0], value: change[1] }];
        const answers: Record<string, number> = {};
        const go = async (verb: string, method: string, to: string, sent?: unknown) => {
          const answer = await server.call(to, { method, token, body: sent });
          answers[verb] = answer.status;
        };
        await go('list', 'GET', path);
        await go('attributes', 'GET', `${path}/attributes`);
        await go('get', 'GET', one);
        await go('post', 'POST', path, fill(body));
        await go('put', 'PUT', one, current);
        await go('patch', 'PATCH', one, operations);
        if (!(name === 'users' && role === 'owner')) await go('delete', 'DELETE', one);
        else answers.delete = 403;
        const expected = { ...COMMON, ...EXCEPTIONS[name] };
        if (name === 'tasks' && role === 'user') expect(answers.delete).toBe(403);
        expect(answers).toEqual(
          Object.fromEntries(
            Object.entries(expected).map(([verb, statuses]) => [verb, statuses[at]]),
          ),
        );
        for (const verb of ['get', 'post']) covered.add(`${verb} ${path}`);
        covered.add(`get ${path}/attributes`);
        for (const verb of ['get', 'put', 'patch', 'delete']) covered.add(`${verb} ${path}/:id`);
      });

  for (const [route, statuses, body] of OTHERS)
    it(`${route} × every role`, async () => {
      const [method = '', path = ''] = route.split(' ');
      const seen: number[] = [];
      if (route === `GET ${U}/photo`) await storePhoto();
      if (route === `DELETE ${U}/photo`) await server.database.query('DELETE FROM photos');
      for (const role of ROLES) {
        if (route === `DELETE ${U}/photo` && role === 'administrator') await storePhoto();
        const isPicture = body === 'PICTURE';
        const answer = await server.call(fill(path), {
          method,
          token: tokens[role],
          body: isPicture ? picture : body,
          headers: isPicture
            ? { 'Content-Type': 'image/png' }
            : path.endsWith('reference')
              ? { Accept: 'text/html' }
              : {},
        });
        seen.push(answer.status);
      }
      expect([route, seen]).toEqual([route, statuses]);
      covered.add(
        `${method.toLowerCase()} ${path.split('?')[0]!.replace('/OWNER', '/:id')}`
          .replace('head ', 'get ')
          .replace('/GROUP', '/:id')
          .replace('/SERVICE', '/:id')
          .replace(/(Users|Groups|ResourceTypes|Schemas|providers)\/999999/, '$1/:id')
          .replace('/ORGANIZATION', '/:id')
          .replace('members/:id', 'members/:userId')
          .replace('tokens/999999', 'tokens/:tokenId')
          .replace('api-keys/999999', 'api-keys/:keyId')
          .replace('second-steps/999999', 'second-steps/:stepId')
          .replace('identities/999999', 'identities/:identityId')
          .replace('tiles/999999', 'tiles/:id')
          .replace('runs/999999', 'runs/:runId')
          .replace('imports/nothing', 'imports/:kind')
          .replace('tasks/999999/files/1', 'tasks/:id/files/:fileId')
          .replace('tasks/999999', 'tasks/:id')
          .replace('stop-mails/999999', 'stop-mails/:token')
          .replace('endpoints/999999', 'endpoints/:id')
          .replace('sources/999999', 'sources/:id')
          .replace('task-filters/999999', 'task-filters/:id')
          .replace('external-task/999999', 'external-task/:id')
          .replace(LIFETIME, ':key')
          .replace('/VIEW', '/:id')
          .replace('favourites/APPLICATION', 'favourites/:applicationId'),
      );
    });

  it('covers every route of the router', () => {
    expect([...covered].sort()).toEqual(expressRoutes(server.app).sort());
  });
});

describe('the resource of the guide', () => {
  const folder = 'test/example-resource';
  const plain = (code: string): string => code.replaceAll(/\s+/g, ' ').trim();
  const guide = readFileSync('CONTRIBUTING.md', 'utf8');
  const [, chapter = ''] = /## Adding a resource\n([\s\S]*?)\n## /.exec(guide) ?? [];
  const steps = [...chapter.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => plain(code));

  it('has the code of every step of the guide', () => {
    const files = readdirSync(folder).map((name) =>
      plain(readFileSync(`${folder}/${name}`, 'utf8')),
    );
    expect(steps).toHaveLength(5);
    expect(steps.filter((step) => !files.some((file) => file.includes(step)))).toEqual([]);
  });

  it('agrees with its table', async () => {
    expect(await schemaChanges(server)).toEqual([]);
  });

  it('lists, filters and validates like any other', async () => {
    const token = await server.signIn('alice.martin');
    const path = '/api/v2/directory/rooms';
    for (const [label, seats] of [
      ['Ämter', 4],
      ['Zürich', 12],
      ['aachen', 8],
    ] as const)
      await server.call(path, { method: 'POST', token, body: { label, seats } });
    const listed = await server.call(
      `${path}?sorter=label&filters=seats:gte:4&filters=label:neq:Matrix`,
      { token },
    );
    expect(listed.body.map(({ label }: { label: string }) => label)).toEqual([
      'aachen',
      'Ämter',
      'Zürich',
    ]);
    const refused = await server.call(path, {
      method: 'POST',
      token,
      body: { label: '', seats: 1.5, colour: 'x' },
    });
    expect(refused.body.fields.map(({ name }: { name: string }) => name).sort()).toEqual([
      'colour',
      'label',
      'seats',
    ]);
  });
});

/** Values of each JSON type, named as in JSON Schema; some of them break naive conversions. */
const VALUES: [type: string, value: unknown][] = [
  ['string', 'x'],
  ['integer', 7],
  ['number', 0.5],
  ['boolean', true],
  ['array', []],
  ['array', ['a']],
  ['array', [[0]]],
  ['array', [{ toString: 1, valueOf: 1 }]],
  ['object', {}],
  ['object', { a: 1 }],
  ['object', { toString: 1, valueOf: 1, normalize: 1, length: 1 }],
  ['object', nested(12)],
];

function nested(depth: number): unknown {
  return depth === 0 ? {} : { a: [nested(depth - 1)] };
}

/** The types that the description of the API allows for an attribute of a body. */
function typesOf({ type, enum: codes, oneOf }: Record<string, unknown>): string[] {
  if (Array.isArray(codes)) return codes.map((code) => (code === null ? 'null' : typeof code));
  if (Array.isArray(oneOf)) return oneOf.flatMap((one) => typesOf(one as Record<string, unknown>));
  return [type].flat() as string[];
}

describe('the server', () => {
  it.each(Object.keys(BODIES))('rejects a value of a wrong type in a POST of %s', async (name) => {
    const resource = resources.find((one) => one.name === name)!;
    const token = await server.signIn('alice.martin');
    const { body: api } = await server.call('/api/v2/openapi.json');
    const { properties } = api.components.schemas[`${resource.schemaName}Body`];
    const writable = Object.entries(properties as Record<string, Record<string, unknown>>);
    expect(writable.length).toBeGreaterThan(2);
    for (const [attribute, schema] of writable)
      for (const [type, value] of VALUES) {
        const body = { ...fill(BODIES[name]!.body), [attribute]: value };
        const answer = await server.call(`/api/v2${resource.ref.uri}`, {
          method: 'POST',
          token,
          body,
        });
        const seen = [attribute, value, answer.status, ...fieldNames(answer)];
        if (typesOf(schema).includes(type))
          expect([seen, answer.status < 500]).toEqual([seen, true]);
        else expect(seen).toEqual([attribute, value, 400, attribute]);
      }
  });

  it('rejects a value of a wrong type in a PATCH of the own account, with 403 for attributes of administrators', async () => {
    const token = await server.signIn('sophie.bohm');
    const me = await server.call('/api/v2/directory/users/me', { token });
    const path = `/api/v2/directory/users/${me.body.id as string}`;
    const change = (method: string, body: unknown) => server.call(path, { method, token, body });
    for (const [type, value] of VALUES) {
      if (type === 'string') continue;
      const body = { login: value, lastName: 'x' };
      const own = await change('PATCH', [{ op: 'replace', path: '/nickName', value }]);
      const whole = await change('PATCH', [{ op: 'replace', path: '', value: body }]);
      const put = await change('PUT', body);
      expect([value, own.status, fieldNames(own), whole.status, put.status]).toEqual([
        value,
        400,
        ['nickName'],
        403,
        403,
      ]);
    }
  });
});

const storePhoto = () =>
  server.call(fill(`${U}/photo`), {
    method: 'PUT',
    token: tokens.administrator,
    body: picture,
    headers: { 'Content-Type': 'image/png' },
  });
