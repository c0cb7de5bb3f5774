import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { ENDPOINTS, type EndpointWorld, startEndpointWorld } from '../support/endpoints.js';
import {
  faultsOfCompletion,
  faultsOfProblem,
  faultsOfReading,
  faultsOfState,
} from '../support/engine-judge.mjs';
import { eventually } from '../support/eventually.js';
import {
  type EngineBehaviour,
  type FakeEngine,
  json,
  startFakeEngine,
} from '../support/fake-engine.js';
import { idOf } from '../support/id-of.js';
import { type DocumentMock, mockDocument } from '../support/mock-of-document.js';

/** The calls of the adapters, judged by the documents of the engines (docs/api-contract.md#adapters). */

/** A task of Camunda 8. */
const TASK_8 = '/user-tasks/{userTaskKey}';

const TASKS = '/api/v2/process/tasks';

/**
 * The documents of the engines, as Prism needs them. Those of Camunda 7 and Flowable say that the value of a variable is
 * an object, and give texts as examples.
 */
const DOCUMENTS = [
  {
    adapter: 'camunda7',
    file: 'test/documents/camunda7.json',
    prepare: corrected(/"value": \{\s*"type": "object",/g, '"value": {'),
    ids: ['seven-16', 'seven/ü', 'seven-18'],
    complete: '/task/17/complete',
    bad: { variables: { outcome: 'approve' } },
    gone: json(404, { type: 'InvalidRequestException', message: 'No matching task with id 18' }),
  },
  {
    adapter: 'flowable',
    // docs/public-api/references/openapi/process/flowable-oas-process.yaml of flowable/flowable-engine.
    file: process.env.FLOWABLE_OPENAPI,
    prepare: corrected(/ {10}type: object\n( {10}example: test\n)/g, '$1'),
    ids: ['flowable-16', 'flowable/ü', 'flowable-18'],
    complete: '/runtime/tasks/17',
    bad: { variables: [] },
    gone: json(404, { message: 'Not found', exception: "Could not find a task with id '18'." }),
  },
  {
    adapter: 'camunda8',
    // zeebe/gateway-protocol/src/main/proto/v2/rest-api.yaml of camunda/camunda, beside the files that it refers to.
    file: process.env.CAMUNDA8_OPENAPI,
    prepare: below('/v2', ['/topology', TASK_8, `${TASK_8}/completion`]),
    ids: ['2251799813685282', '2251799813685284', '2251799813685286'],
    complete: '/v2/user-tasks/17/completion',
    bad: { variables: [] },
    gone: json(
      404,
      {
        type: 'about:blank',
        title: 'NOT_FOUND',
        status: 404,
        detail: "User Task with key '2251799813685286' not found",
        instance: '/v2/user-tasks/2251799813685286',
      },
      { 'Content-Type': 'application/problem+json' },
    ),
  },
];

/** Mends what a document gets wrong once. */
function corrected(wrong: RegExp, right: string): (text: string) => string {
  return (text) => {
    expect(text.match(wrong)).toHaveLength(1);
    return text.replace(wrong, right);
  };
}

/** Refers to some paths of a document, with the path of its server before them, which Prism leaves out. */
function below(base: string, paths: string[]): (text: string, file: string) => string {
  return (text, file) => {
    const refer = (pointer: string) => ({ $ref: `${resolve(file)}#/${pointer}` });
    const entries = paths.map((path) => [
      base + path,
      refer(`paths/${path.replaceAll('/', '~1')}`),
    ]);
    const { openapi, info } = parse(text) as Record<string, unknown>;
    const components = { securitySchemes: refer('components/securitySchemes') };
    return stringify({ openapi, info, paths: Object.fromEntries(entries), components });
  };
}

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

for (const { adapter, file, prepare, ids, complete, bad, gone } of DOCUMENTS) {
  const describeIt = file === undefined ? describe.skip : describe;
  describeIt(`the document of ${adapter}`, () => {
    let engine: FakeEngine;
    let mock: DocumentMock;
    let judge: DocumentMock;
    beforeAll(async () => {
      const text = prepare(await readFile(file!, 'utf8'), file!);
      const extension = file!.split('.').at(-1)!;
      engine = await startFakeEngine();
      [mock, judge] = await Promise.all([
        mockDocument(text, extension),
        mockDocument(text, extension, engine.url),
      ]);
    });
    afterAll(() => Promise.all([mock, judge, engine].map((one) => one.close())));

    it('allows the call that completes a task, and the one that tries the address', async () => {
      const endpoint = await connect(adapter, mock.url);
      await becomes(await decide(ids[0]!), { status: 'done', confirmation: 'confirmed' });
      await becomes(await decide(ids[1]!, null), { confirmation: 'confirmed' });
      expect((await world.call('POST', `${ENDPOINTS}/${endpoint}/test`)).status).toBe(201);
      await eventually(async () =>
        expect(await world.deliveries(endpoint, 'status:eq:delivered')).toMatchObject([
          { log: [{ status: expect.any(Number), message: null }] },
          { log: [{ status: expect.any(Number), message: null }] },
          { kind: 'endpoint.test', log: [{ status: 200, message: null }] },
        ]),
      );
    });

    it('allows the call that reads a task, and the answer about a missing task', async () => {
      let answer: (() => void) | undefined;
      const lost: EngineBehaviour = (response) => (answer = () => response.destroy());
      engine.answers = [lost, gone];
      await connect(adapter, judge.url);
      const id = await decide(ids[2]!);
      await eventually(() => expect(engine.requests).toHaveLength(1));
      await world.change(id, { status: 'open' });
      answer!();
      await eventually(async () => {
        await world.hurry();
        expect(engine.requests).toHaveLength(2);
      });
      await becomes(id, { status: 'done', outcome: 'approve', confirmation: 'confirmed' });
      expect(engine.requests[1]!.line).toMatch(/^GET /);
    });

    it('rejects other forms of calls', async () => {
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
