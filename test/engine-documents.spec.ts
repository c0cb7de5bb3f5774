import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { ENDPOINTS, type EndpointWorld, startEndpointWorld } from './support/endpoints.js';
import {
  faultsOfCompletion,
  faultsOfProblem,
  faultsOfReading,
  faultsOfState,
} from './support/engine-judge.mjs';
import { eventually } from './support/eventually.js';
import { json, startFakeEngine } from './support/fake-engine.js';
import { idOf } from './support/id-of.js';
import { type DocumentMock, mockDocument } from './support/mock-of-document.js';

/** The calls of the adapters, judged by the documents of the engines (docs/api-contract.md#adapters). */

const TASKS = '/api/v2/process/tasks';

/** Where the documents of the engines are, and which part of them has to be corrected: both say that the value of a variable is an object, and give texts as examples. */
const DOCUMENTS = [
  {
    adapter: 'camunda7',
    file: 'test/documents/camunda7.json',
    wrong: /"value": \{\s*"type": "object",/,
    right: '"value": {',
    complete: '/task/17/complete',
    bad: { variables: { outcome: 'approve' } },
  },
  {
    adapter: 'flowable',
    // docs/public-api/references/openapi/process/flowable-oas-process.yaml of flowable/flowable-engine.
    file: process.env.FLOWABLE_OPENAPI,
    wrong: / {10}type: object\n( {10}example: test\n)/,
    right: '$1',
    complete: '/runtime/tasks/17',
    bad: { variables: [] },
  },
];

let world: EndpointWorld;
let source: string;
beforeAll(async () => {
  world = await startEndpointWorld();
  const made = await world.call('POST', '/api/v2/process/sources', {
    reference: 'REMOTE',
    label: 'Remote',
    serviceAccount: await idOf(world.server, 'users', 'process.engine'),
    applications: [world.application],
  });
  source = made.body.id as string;
});
afterAll(() => world.server.close());
afterEach(() => world.clear());

async function connect(adapter: string, url: string): Promise<string> {
  const body = { label: 'Engine', mode: 'push', url, adapter, source };
  const { id } = (await world.call('POST', ENDPOINTS, body)).body as { id: string };
  const credentials = { scheme: 'basic', user: 'rest-admin', secret: 'test' };
  const set = await world.call('PUT', `${ENDPOINTS}/${id}/credentials`, credentials);
  expect(set.status).toBe(204);
  return id;
}
/** A task that Bruno decides. */
async function decide(externalId: string, comment: string | null = 'Fine'): Promise<string> {
  const assignee = await idOf(world.server, 'users', 'bruno.keller');
  const id = await world.task({ assignee, source, externalId, outcomes: [{ name: 'approve' }] });
  await world.change(id, { status: 'done', outcome: 'approve', comment });
  return id;
}
const becomes = (id: string, expected: object): Promise<void> =>
  eventually(async () => {
    expect((await world.call('GET', `${TASKS}/${id}`)).body).toMatchObject(expected);
  });

for (const { adapter, file, wrong, right, complete, bad } of DOCUMENTS) {
  const describeIt = file === undefined ? describe.skip : describe;
  describeIt(`the document of ${adapter}`, () => {
    let mock: DocumentMock;
    beforeAll(async () => {
      const text = await readFile(file!, 'utf8');
      expect(text.match(new RegExp(wrong, 'g'))).toHaveLength(1);
      mock = await mockDocument(text.replace(wrong, right), file!.split('.').at(-1)!);
    });
    afterAll(() => mock.close());

    it('allows the call that completes a task, and the one that tries the address', async () => {
      const endpoint = await connect(adapter, mock.url);
      await becomes(await decide(`${adapter}-17`), { status: 'done', confirmation: 'confirmed' });
      await becomes(await decide(`${adapter}/ü`, null), { confirmation: 'confirmed' });
      expect((await world.call('POST', `${ENDPOINTS}/${endpoint}/test`)).status).toBe(201);
      await eventually(async () =>
        expect(await world.deliveries(endpoint, 'status:eq:delivered')).toMatchObject([
          { log: [{ status: expect.any(Number), message: null }] },
          { log: [{ status: expect.any(Number), message: null }] },
          { kind: 'endpoint.test', log: [{ status: 200, message: null }] },
        ]),
      );
    });

    it('refuses other forms', async () => {
      const answer = await fetch(mock.url + complete, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: 'Basic dTpw' },
        body: JSON.stringify(bad),
      });
      expect(answer.ok).toBe(false);
    });
  });
}

describe('the client of Camunda 8', () => {
  it('knows the calls of the adapter, and the answers from which it learns', async () => {
    const engine = await startFakeEngine();
    const problem = { type: 'about:blank', status: 409, detail: 'Denied', instance: '/v2' };
    const state = { userTaskKey: '2251799813685281', state: 'COMPLETED' };
    engine.answers = [json(409, { ...problem, title: 'INVALID_STATE' }), json(200, state)];
    await connect('camunda8', engine.url);
    await becomes(await decide('2251799813685281', null), { confirmation: 'confirmed' });
    const [completion, reading] = engine.requests;
    const path = { userTaskKey: '2251799813685281' };
    expect(completion!.line).toBe(`POST /engine/v2/user-tasks/${path.userTaskKey}/completion`);
    expect(faultsOfCompletion({ path, body: JSON.parse(completion!.body) as unknown })).toEqual([]);
    expect(faultsOfCompletion({ path, body: { variables: [] } })).toHaveLength(1);
    expect(reading!.line).toBe(`GET /engine/v2/user-tasks/${path.userTaskKey}`);
    expect(faultsOfReading({ path })).toEqual([]);
    expect(faultsOfProblem({ ...problem, title: 'INVALID_STATE' })).toEqual([]);
    for (const known of ['CREATED', 'COMPLETED', 'CANCELED', 'FAILED'])
      expect(faultsOfState(known)).toEqual([]);
    expect(faultsOfState('DONE')).toHaveLength(1);
    await engine.close();
  });
});
