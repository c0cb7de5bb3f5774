// A process engine whose people decide in Process Platform: `node engine.js Desk Lamp` starts two purchases, and
// `node engine.js` goes on with those that are stored. It may be killed at any moment.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Engine } from 'bpmn-engine';

const { PLATFORM_URL = 'http://127.0.0.1:3000', FOLDER = 'purchases' } = process.env;
/** The service account; the password is best an API key. */
const { LOGIN = 'process.engine', PASSWORD } = process.env;
if (!PASSWORD) stop(`PASSWORD is missing: the password or an API key of ${LOGIN}`);
const SOURCE = 'BPMN';
const ENDPOINT = 'BPMN';
const OUTCOMES = [
  { name: 'approve', label: 'Approve' },
  { name: 'reject', label: 'Reject', commentRequired: true },
];

const model = readFileSync(join(import.meta.dirname, 'purchase.bpmn'), 'utf8');
/** How long people have for a purchase, in milliseconds. */
const TWO_DAYS = 2 * 86_400_000;

/** The purchases that have not ended, by their ids. */
const running = new Map();

let token;

/** Ends for a reason that only people can remove. */
function stop(reason) {
  console.error(reason);
  process.exit(1);
}

function send(method, path, body) {
  const address = `${PLATFORM_URL}/api/v2${path}`;
  return fetch(address, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(token && { 'X-AUTHENTICATION-KEY': token }),
    },
    body: JSON.stringify(body),
  }).catch((error) => {
    throw new Error(`${address} cannot be reached: ${error.cause?.message ?? error.message}`);
  });
}

/** Repeated wrong passwords would lock the account: the first one ends the engine. */
async function signIn() {
  token = undefined;
  const answer = await send('POST', '/authentication', { login: LOGIN, password: PASSWORD });
  if (answer.status === 401) stop(`sign-in of ${LOGIN} refused: ${(await answer.json()).message}`);
  if (!answer.ok) throw new Error(`sign-in of ${LOGIN}: ${answer.status} ${await answer.text()}`);
  ({ token } = await answer.json());
}

/** Calls the API; signs in first, and again when the token has ended. */
async function call(method, path, body) {
  if (!token) await signIn();
  let answer = await send(method, path, body);
  if (answer.status === 401) {
    await signIn();
    answer = await send(method, path, body);
  }
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Repeats what may be done twice until it succeeds, also while the server is down: after 0.5 s, 1 s, 2 s, … 10 s. */
async function untilDone(work) {
  for (let wait = 500; ; wait = Math.min(2 * wait, 10_000)) {
    try {
      return await work();
    } catch (error) {
      console.error(String(error));
      await delay(wait);
    }
  }
}

/** Stores a purchase: a crash leaves the old file or the new one. */
async function save(purchase) {
  const { id, item, due, engine, end } = purchase;
  const state = end === undefined ? await engine.getState() : undefined;
  const path = `${FOLDER}/${id}.json`;
  const file = openSync(`${path}.new`, 'w');
  writeSync(file, JSON.stringify({ id, item, due, end, state }));
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  if (end !== undefined) running.delete(id);
}

/** The tasks at which a purchase waits for people. */
const waiting = ({ execution }) =>
  execution.getPostponed().filter(({ type }) => type === 'bpmn:UserTask');

/** Pushes the open tasks of a purchase; those that the server knows already are unchanged. */
async function push(purchase) {
  const tasks = waiting(purchase).map(({ id, name }) => ({
    externalId: `${purchase.id}/${id}`,
    correlationId: purchase.id,
    title: `${name}: ${purchase.item}`,
    application: 'PURCHASE',
    assignee: 'bruno.keller',
    dueDate: purchase.due,
    outcomes: OUTCOMES,
    variables: [{ name: 'item', label: 'Item', value: purchase.item }],
  }));
  if (tasks.length === 0) return;
  await call('PUT', `/process/tasks?source=${SOURCE}`, tasks);
  for (const { title } of tasks) console.log(`waits for people: ${title}`);
}

/** Starts a purchase, or goes on with one from its state. */
async function run({ id, item, due, state }) {
  const purchase = { id, item, due, end: undefined };
  const listener = new EventEmitter();
  listener.on('activity.end', (activity) => {
    if (activity.type === 'bpmn:EndEvent') purchase.end = activity.id;
  });
  purchase.engine = new Engine({ name: id, source: state ? undefined : model });
  if (state) purchase.engine.recover(state);
  purchase.execution = await (state
    ? purchase.engine.resume({ listener })
    : purchase.engine.execute({ listener }));
  running.set(id, purchase);
  if (!state) await save(purchase);
  await untilDone(() => push(purchase));
}

/** Takes a decision over. An event that comes twice finds no task that waits. */
async function decide({ source, externalId, outcome, comment, closedBy }) {
  if (source?.reference !== SOURCE) return;
  const [id, activity] = externalId.split('/');
  const purchase = running.get(id);
  const task = purchase && waiting(purchase).find((one) => one.id === activity);
  if (!task) return;
  task.environment.output[activity] = { outcome, comment, by: closedBy?.reference };
  task.signal();
  await save(purchase);
  await untilDone(() => push(purchase));
}

mkdirSync(FOLDER, { recursive: true });
for (const name of readdirSync(FOLDER).filter((one) => one.endsWith('.json'))) {
  const stored = JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8'));
  if (stored.end === undefined) await run(stored);
}
for (const item of process.argv.slice(2))
  await run({ id: randomUUID(), item, due: new Date(Date.now() + TWO_DAYS).toISOString() });

for (;;) {
  const path = `/process/endpoints/${ENDPOINT}`;
  const { deliveries } = await untilDone(() =>
    call('POST', `${path}/fetch`, { worker: 'purchases', limit: 20, lease: 5, wait: 20 }),
  );
  for (const { event } of deliveries) await decide(event.data.task);
  const ids = deliveries.map(({ id }) => id);
  // A lease that has lapsed meanwhile brings the events again, which does no harm.
  if (ids.length > 0)
    await untilDone(() =>
      call('POST', `${path}/complete`, { worker: 'purchases', deliveries: ids }),
    );
}
