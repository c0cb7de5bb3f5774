// Writes src/openapi/examples.json: one call of each operation and its answer, recorded from the built server on
// the demonstration portal. It shortens long lists and texts, and replaces values that differ from run to run
// (tokens, keys, dates of the run).
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';

const FILE = 'src/openapi/examples.json';
const PASSWORD = 'Portal-Demo-2026';
const SYSADMIN_PASSWORD = 'Examples-Of-2026';
const SECRETS_KEY = 'a-key-of-the-examples-with-32-characters';
const LIFETIME = 'com.platform.security.Token.lifetime';

/** What a PUT of content says of who sees it. */
const PUBLISHED = { audience: [], status: 1 };

/** For each resource: a body to create an object, a change, and a filter for the example item. */
const RESOURCES = {
  User: {
    body: { login: 'nora.vogel', firstName: 'Nora', lastName: 'Vogel', status: 1 },
    change: { userFunction: 'Buyer' },
    filter: 'login:eq:bruno.keller',
  },
  Organization: {
    body: { label: 'Archive' },
    change: { description: 'Keeps the files', active: true },
  },
  Group: { body: { label: 'Choir' }, change: { description: 'Sings on Thursdays' } },
  Category: { body: { title: 'Travel' }, change: { position: 7, active: true } },
  Application: {
    body: { title: 'Timetable', type: 'LINK', link: 'https://timetable.example/' },
    change: { keywords: 'train bus', active: true, audience: [] },
  },
  Task: {
    body: { title: 'Check the invoice', application: '/navigation/applications/3' },
    change: { status: 'done' },
  },
  View: {
    body: { label: 'Due first', application: '/navigation/applications/3' },
    change: { sorter: 'dueDate' },
  },
  TaskFilter: {
    body: { label: 'Overdue', filters: ['dueDate:lt:@now'], sorter: 'dueDate' },
    change: { sharedWithEveryone: true },
  },
  Source: {
    body: { label: 'Invoices', applications: ['/navigation/applications/3'] },
    change: { snapshotBrake: 10 },
  },
  Absence: {
    body: {
      user: 'bruno.keller',
      substitute: 'alice.martin',
      startDate: '2027-07-05T06:00:00.000Z',
      endDate: '2027-07-24T16:00:00.000Z',
    },
    change: { endDate: '2027-07-17T16:00:00.000Z' },
  },
  Endpoint: {
    body: { label: 'Purchase engine', mode: 'pull', kinds: ['task.decided', 'task.cancelled'] },
    change: { content: 'thin' },
  },
  Document: { body: { title: 'Travel policy' }, change: { version: '2', ...PUBLISHED } },
  News: { body: { title: 'New canteen' }, change: { category: 'Sites', ...PUBLISHED } },
  Faq: {
    body: { question: 'Where do I park?' },
    change: { answer: 'Behind the building.', ...PUBLISHED },
  },
  Customer: { body: { name: 'Nordwind AG' }, change: { city: 'Bremen', ...PUBLISHED } },
};

/** Tasks that a source pushes. */
const PUSHED_TASKS = [
  {
    externalId: 'inv-1',
    title: 'Check invoice 1',
    application: 'LEAVE',
    candidates: ['bruno.keller', 'temporary.worker'],
  },
  { externalId: 'inv-2', title: 'Check invoice 2', application: 'FLEET' },
];

const started = Date.now();
// The server of the examples has no SMTP server, and answers 404 to this call.
const examples = {
  requestPasswordReset: { body: { login: 'bruno.keller' }, answer: { minutes: 30 } },
};
const folder = mkdtempSync(join(tmpdir(), 'openapi-examples-'));
const { server, url } = await startServer();
try {
  const { paths, components } = await (await fetch(`${url}/api/v2/openapi.json`)).json();
  const operations = operationsOf(paths);
  await makeCalls(operations, components.schemas);
  const missing = Object.values(operations).filter(
    ({ operationId, hasJson }) => hasJson && !(operationId in examples),
  );
  if (missing.length > 0)
    throw new Error(
      `no example of ${missing.map(({ operationId }) => operationId).join(', ')}: add a line to RESOURCES or a call, in scripts/openapi-examples.mjs`,
    );
} finally {
  server.kill('SIGINT');
  await new Promise((done) => server.once('exit', done));
  rmSync(folder, { recursive: true, force: true });
}
const sorted = Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(
  FILE,
  await format(JSON.stringify(sorted), { ...(await resolveConfig(FILE)), filepath: FILE }),
);

/** Starts the built server on an empty data folder, which it fills with the demonstration portal. */
async function startServer() {
  const server = spawn(process.execPath, [resolve('dist/src/main.js')], {
    cwd: folder,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      SYSADMIN_PASSWORD,
      SECRETS_KEY,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const url = await new Promise((done, fail) => {
    const read = (chunk) => {
      printed += chunk;
      const [, found] = /listens on (http:\/\/\S+)/.exec(printed) ?? [];
      if (found) done(found);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.once('exit', () => fail(new Error(`the server ended: ${printed}`)));
  });
  return { server, url };
}

/** Method and path of each operation, and whether its body and its answer are JSON. */
function operationsOf(paths) {
  const isJson = ({ content = {} } = {}) => 'application/json' in content;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, requestBody, responses }]) => {
      const [success] = Object.values(responses);
      return { operationId, method, path, hasJson: isJson(requestBody) || isJson(success) };
    }),
  );
  return Object.fromEntries(all.map((operation) => [operation.operationId, operation]));
}

async function makeCalls(operations, schemas) {
  /** The cookie of the latest session. */
  let cookie;
  /** Calls an operation and returns its JSON. */
  const ask = async (operationId, { as, at = {}, query = '', body, headers } = {}) => {
    const { method, path } = operations[operationId];
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => at[name]);
    const answer = await fetch(`${url}${filled}${query && `?${query}`}`, {
      method: method.toUpperCase(),
      headers: {
        ...(as && { 'X-AUTHENTICATION-KEY': as }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: typeof body === 'string' ? body : body && JSON.stringify(body),
    });
    cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? cookie;
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${operationId}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  /** Calls an operation and records the request and the answer. */
  const keep = async (operationId, call = {}) => {
    const answer = await ask(operationId, call);
    examples[operationId] = { body: steady(call.body), answer: steady(shorten(answer)) };
    return answer;
  };
  /** Records the first message of a stream. */
  const keepEvents = async (operationId, { as }) => {
    const { path } = operations[operationId];
    const answer = await fetch(url + path, { headers: { 'X-AUTHENTICATION-KEY': as } });
    const reader = answer.body.getReader();
    const { value } = await reader.read();
    await reader.cancel();
    examples[operationId] = {
      answer: Buffer.from(value)
        .toString()
        .replace(/^retry: \d+/, 'retry: 2718'),
    };
  };
  /** Records a list in both response modes. */
  const keepList = async (operationId, { query = 'range=0-1', ...call }) => {
    const answer = await keep(operationId, { ...call, query });
    const displayed = await ask(operationId, { ...call, query: `${query}&responseMode=user` });
    examples[operationId].displayed = steady(shorten(displayed)).map((item, at) =>
      Object.fromEntries(
        Object.entries(item).map(([name, value]) => [
          name,
          isOfThisRun(answer[at][name]) ? '2 Nov 2026, 09:00' : value,
        ]),
      ),
    );
    return answer;
  };
  const signIn = async (login, password = PASSWORD) =>
    (await ask('signIn', { body: { login, password } })).token;

  for (const name of ['getService', 'isLive', 'isReady', 'getPasswordRules']) await keep(name);
  const { openapi, info } = await ask('getOpenApi');
  examples.getOpenApi = { answer: { openapi, info } };
  const { token: bruno } = await keep('signIn', {
    body: { login: 'bruno.keller', password: PASSWORD },
    headers: { Prefer: 'renewal', Origin: url },
  });
  await keep('renewSession', { headers: { Cookie: cookie, Origin: url } });
  const [alice, sysadmin] = [
    await signIn('alice.martin'),
    await signIn('sysadmin', SYSADMIN_PASSWORD),
  ];
  const { categories } = await ask('listAttributes', { as: bruno });
  examples.listAttributes = { answer: { categories: categories.slice(0, 2) } };
  const { id } = await keep('getCaller', { as: bruno });
  const own = { as: bruno, at: { id } };
  await keep('getSession', own);
  await keep('confirmPassword', { ...own, body: { password: PASSWORD } });
  await keep('createApiKey', { ...own, body: { name: 'Payroll', expiration: null } });
  for (const name of ['listSessions', 'listApiKeys', 'listIdentities']) await keepList(name, own);
  const [{ id: added }, { uri: favourite }] = await ask('listApplications', {
    as: bruno,
    query: 'range=0-2',
  });
  await keep('replaceFavourites', { ...own, body: { applications: [favourite] } });
  await keep('getFavourites', own);
  await keep('replaceMailSettings', { ...own, body: { digest: true, reminders: false } });
  await keep('getMailSettings', own);
  for (const name of ['addFavourite', 'removeFavourite'])
    await keep(name, { as: bruno, at: { applicationId: added } });
  await callPortal({ keep, keepEvents, id, bruno, alice });
  // The demonstration portal has none.
  const first = { label: 'Leave engine', mode: 'pull', kinds: ['task.decided'] };
  await ask('createEndpoint', { as: alice, body: first });
  await callResources({ ask, keep, keepList, alice });

  const [group] = await ask('listGroups', { as: alice, query: 'range=0-1' });
  await keepList('listMembers', { as: alice, at: { id: group.id } });
  const [organization] = await ask('listOrganizations', { as: alice, query: 'range=0-1' });
  await keepList('listOrganizationMembers', { as: alice, at: { id: organization.id } });
  const [view] = await ask('listViews', { as: alice, query: 'range=0-1' });
  await keepList('listViewRecords', { as: alice, at: { id: view.id } });
  await keepList('listWaitingTasks', { as: bruno, query: 'range=0-1' });
  await keep('countWaitingTasks', { as: bruno });
  const filter = { label: 'Mine', filters: ['assignee:eq:@me'], sorter: 'dueDate' };
  const { id: saved } = await ask('createTaskFilter', { as: bruno, body: filter });
  await keepList('listTaskFilterRecords', { as: bruno, at: { id: saved }, query: 'range=0-1' });
  await keep('listInboxFilters', { as: bruno });
  await keep('listChanges', { as: bruno, query: 'kinds=categories' });
  await callEndpoints({ ask, keep, keepList, as: alice, sysadmin });
  await callAdministration({ keep, keepList, alice, sysadmin });
  const note = [{ op: 'replace', path: '/description', value: 'In Zurich on Tuesdays' }];
  await keep('patchCaller', { ...own, body: note });
  const caller = Object.entries(await ask('getCaller', own));
  const writable = caller.filter(([name]) => name in schemas.UserBody.properties);
  await keep('replaceCaller', { ...own, body: Object.fromEntries(writable) });
}

async function callPortal({ keep, keepEvents, id, bruno, alice }) {
  await keep('getWorkplace', { as: bruno });
  const [category] = await keep('listWorkplaceCategories', { as: bruno });
  await keep('listWorkplaceApplications', { as: bruno, query: `category=${category.id}` });
  await keepEvents('streamCounters', { as: bruno });
  for (const name of ['getIndicator', 'countView'])
    await keep(name, { as: bruno, query: 'applicationUri=/navigation/applications/3' });
  await keep('searchWorkplace', { as: bruno, query: 'query=expense%20claims' });
  await keep('search', {
    as: bruno,
    query: 'searchName=workplace_faq_search&searchField=question&query=password',
  });
  await keep('getPreview', { as: alice, query: `user=${id}` });
  const preview = `user=${id}&application=3&filters=status:eq:open&filters=group:eq:@mygroups`;
  await keep('previewView', { as: alice, query: preview });
  const tile = {
    application: { title: 'Repairs', type: 'PROCESS', active: false },
    view: { label: 'Open repairs', filters: ['status:eq:open', 'group:eq:@mygroups'] },
  };
  const made = await keep('createTile', { as: alice, body: tile });
  const view = { ...tile.view, id: made.view.id, label: 'Repairs that wait' };
  const application = { ...tile.application, audience: [] };
  await keep('replaceTile', { as: alice, at: { id: made.id }, body: { application, view } });
}

async function callResources({ ask, keep, keepList, alice: as }) {
  for (const [name, { body, change, filter }] of Object.entries(RESOURCES)) {
    const plural = { Category: 'Categories', News: 'News' }[name] ?? `${name}s`;
    if (name === 'Task') await callClaims({ ask, keep, as });
    // The demonstration portal has none.
    const engine = { applications: ['LEAVE'], reference: 'ERP', fallbackGroup: 'HIRING' };
    if (name === 'Source') await ask('createSource', { as, body: { ...body, ...engine } });
    const earlier = { startDate: '2026-12-21T07:00:00.000Z', endDate: '2027-01-04T07:00:00.000Z' };
    if (name === 'Absence') await ask('createAbsence', { as, body: { ...body, ...earlier } });
    if (name === 'Source') await keep('pushTasks', { as, query: 'source=ERP', body: PUSHED_TASKS });
    if (name === 'Source') await keep('listUnknownNames', { as, at: { id: 'ERP' } });
    if (name === 'TaskFilter') await ask('createTaskFilter', { as, body: { label: 'Mine' } });
    const query = ['range=0-1', ...(filter ? [`filters=${filter}`] : [])].join('&');
    const [item] = await keepList(`list${plural}`, { as, query });
    await keep(`get${name}`, { as, at: { id: item.id } });
    await keep(`list${name}Attributes`, { as });
    const { id } = await keep(`create${name}`, { as, body });
    const at = { id };
    await keep(`replace${name}`, { as, at, body: { ...body, ...change } });
    const [[attribute, value]] = Object.entries(change);
    const patch = [{ op: 'replace', path: `/${attribute}`, value }];
    await keep(`patch${name}`, { as, at, body: patch });
    if (name === 'User') await callAccount({ ask, keep, as, at });
    await ask(`delete${name}`, { as, at });
  }
}

async function callEndpoints({ ask, keep, keepList, as, sysadmin }) {
  const key = 'com.platform.deliveries.destinations';
  await ask('setParameter', { as: sysadmin, at: { key }, body: { value: 'hooks.example.com' } });
  const url = 'https://hooks.example.com/tasks';
  const push = await ask('createEndpoint', { as, body: { label: 'Portal', mode: 'push', url } });
  await keep('addEndpointSecret', { as, at: { id: push.id }, body: { overlap: 24 } });
  await callAdapter({ ask, keep, as, url });
  const pull = await ask('createEndpoint', { as, body: { label: 'Engine', mode: 'pull' } });
  const at = { id: pull.id };
  await keep('testEndpoint', { as, at });
  const worker = 'purchase-1';
  const fetched = await keep('fetchDeliveries', { as, at, body: { worker, limit: 10, lease: 60 } });
  const deliveries = fetched.deliveries.map(({ id }) => id);
  await keep('extendDeliveries', { as, at, body: { worker, deliveries, lease: 300 } });
  await keep('unlockDeliveries', { as, at, body: { worker, deliveries } });
  await ask('fetchDeliveries', { as, at, body: { worker } });
  const failure = { delay: 0, message: 'the engine does not answer' };
  await keep('failDeliveries', { as, at, body: { worker, deliveries, ...failure } });
  await ask('fetchDeliveries', { as, at, body: { worker } });
  await keep('completeDeliveries', { as, at, body: { worker, deliveries } });
  const revised = { label: 'Engine', mode: 'pull', reference: pull.reference, confirms: true };
  await ask('replaceEndpoint', { as, at, body: revised });
  await ask('replayDeliveries', { as, at, body: { deliveries } });
  await ask('fetchDeliveries', { as, at, body: { worker } });
  const reason = 'The budget is spent';
  await keep('refuseDeliveries', { as, at, body: { worker, deliveries, reason } });
  await keepList('listDeliveries', { as, at });
  await keep('retryDeliveries', { as, at });
  await keep('replayDeliveries', { as, at, body: { deliveries } });
  await ask('fetchDeliveries', { as, at, body: { worker } });
  await ask('failDeliveries', { as, at, body: { worker, deliveries, retries: 0 } });
  await keep('listEndpointAlerts', { as });
  await ask('replayDeliveries', { as, at, body: { failed: true } });
  const topics = [{ topicName: pull.reference, lockDuration: 60000 }];
  const locking = { workerId: worker, maxTasks: 10, asyncResponseTimeout: 20000, topics };
  const lock = async () => (await keep('fetchAndLockExternalTasks', { as, body: locking }))[0];
  const task = { as, at: { id: (await lock()).id } };
  await keep('lockExternalTask', { ...task, body: { workerId: worker, lockDuration: 60000 } });
  const longer = { workerId: worker, newDuration: 300000 };
  await keep('extendExternalTaskLock', { ...task, body: longer });
  await ask('unlockExternalTask', task);
  await lock();
  const failed = { workerId: worker, errorMessage: 'no answer', retries: 3, retryTimeout: 0 };
  await keep('failExternalTask', { ...task, body: failed });
  await lock();
  await keep('completeExternalTask', { ...task, body: { workerId: worker } });
  await ask('replayDeliveries', { as, at, body: { deliveries } });
  await lock();
  const error = { workerId: worker, errorCode: 'rejected', errorMessage: 'no such order' };
  await keep('reportBpmnError', { ...task, body: error });
  for (const { id } of [push, pull]) await ask('deleteEndpoint', { as, at: { id } });
}

/** An engine without code between. */
async function callAdapter({ ask, keep, as, url }) {
  const account = { label: 'Flowable', serviceAccount: 'process.engine' };
  const source = await ask('createSource', { as, body: account });
  const engine = { label: 'Flowable', mode: 'push', adapter: 'flowable', source: source.id, url };
  const { id } = await ask('createEndpoint', { as, body: engine });
  const credentials = { scheme: 'basic', user: 'rest-admin', secret: 'a password' };
  await keep('setEndpointCredentials', { as, at: { id }, body: credentials });
  await ask('deleteEndpoint', { as, at: { id } });
  await ask('deleteSource', { as, at: { id: source.id } });
}

/** Takes a task of a group of the caller, and gives it back. */
async function callClaims({ ask, keep, as }) {
  const { groups } = await ask('getCaller', { as });
  const body = { title: 'Sign the lease', application: '3', group: groups[0].id };
  const at = { id: (await ask('createTask', { as, body })).id };
  await keep('claimTask', { as, at });
  await keep('releaseTask', { as, at });
  await keep('getTaskHistory', { as, at });
  await keep('addTaskComment', { as, at, body: { text: 'The landlord has signed.' } });
  await keep('listTaskComments', { as, at });
  const file = await fetch(`${url}/api/v2/process/tasks/${at.id}/files?name=lease.pdf`, {
    method: 'POST',
    headers: { 'X-AUTHENTICATION-KEY': as, 'Content-Type': 'application/octet-stream' },
    body: 'the lease',
  });
  examples.addTaskFile = { answer: steady(await file.json()) };
  await keep('listTaskFiles', { as, at });
  await keep('actOnTasks', { as, body: { action: 'complete', tasks: [at.id] } });
  await ask('deleteTask', { as, at });
}

async function callAccount({ ask, keep, as, at }) {
  await keep('changePassword', { as, at, body: { password: 'Brise-Am-Hafen-7' } });
  await keep('createInvitations', { as, body: { users: [at.id, '999999'], delivery: 'link' } });
  const { code } = await keep('createInvitation', { as, at });
  await keep('checkInvitation', { body: { code } });
  await keep('useInvitation', { body: { code, password: 'Wolken-Am-Hafen-8' } });
  await ask('endSessions', { as, at });
}

async function callAdministration({ keep, keepList, alice, sysadmin }) {
  await keep('checkAddress', { as: alice, query: 'address=192.0.2.7' });
  await keepList('listAuditEntries', {
    as: alice,
    query: 'range=0-1&filters=action:eq:set-favourites',
  });
  await keep('listAuditEntryAttributes', { as: alice });
  await keep('importFile', {
    as: alice,
    at: { kind: 'categories' },
    headers: { 'Content-Type': 'text/csv' },
    body: 'reference,title\nARCHIVE,Archive\n',
  });
  await keepList('listParameters', { as: sysadmin });
  const { value } = await keep('getParameter', { as: sysadmin, at: { key: LIFETIME } });
  await keep('setParameter', { as: sysadmin, at: { key: LIFETIME }, body: { value } });
}

/** Keeps two items of each array, and the beginning of each long text. */
function shorten(value) {
  if (typeof value === 'string') return value.length > 120 ? `${value.slice(0, 119)}…` : value;
  if (Array.isArray(value)) return value.slice(0, 2).map(shorten);
  return mapValues(value, shorten);
}

/** Replaces values that differ from run to run. */
function steady(value) {
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value !== 'string') return mapValues(value, steady);
  if (isOfThisRun(value)) {
    const isLater = Date.parse(value) > Date.now() + 60_000;
    const date = isLater ? '2026-11-02T17:00:00.000Z' : '2026-11-02T09:00:00.000Z';
    return value.includes('.') ? date : date.replace('.000', '');
  }
  return value
    .replace(/^[\w-]{43}$/, 'a-text-of-43-characters-that-nobody-guesses')
    .replace(/^ppk_[\w-]+$/, 'ppk_example')
    .replace(/^whsec_.+$/, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')
    .replace(/^msg_[\da-f]{32}$/, 'msg_00000000000040008000000000000000')
    .replace(/^[\w-]{8}\.[\w-]{60,}\.[\w-]*…$/, 'a-cursor-that-nobody-else-can-make')
    .replace(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, '00000000-0000-4000-8000-000000000000');
}

function mapValues(value, map) {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(part)]));
}

/** Whether a text is a timestamp that the server set during this run. */
function isOfThisRun(value) {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value ?? '') && Date.parse(value) >= started - 1000;
}
