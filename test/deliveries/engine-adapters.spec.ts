import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ENDPOINTS, type EndpointWorld, startEndpointWorld } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import {
  type EngineBehaviour,
  type FakeEngine,
  json,
  startFakeEngine,
} from '../support/fake-engine.js';
import { idOf } from '../support/id-of.js';
import type { Answer } from '../support/test-server.js';

/** Decisions in the own form of each engine (docs/api-contract.md#adapters). */

const TASKS = '/api/v2/process/tasks';
const REASON = 'The budget is spent';
const ALREADY = 'The engine had already completed the task';
const TAKEN = 'The engine had completed the task before the decision was taken back';

let world: EndpointWorld;
let engine: FakeEngine;
let bruno: string;
let source: string;
beforeAll(async () => {
  world = await startEndpointWorld();
  bruno = await idOf(world.server, 'users', 'bruno.keller');
  const made = await world.call('POST', '/api/v2/process/sources', {
    reference: 'REMOTE',
    label: 'Remote',
    serviceAccount: await idOf(world.server, 'users', 'process.engine'),
    applications: [world.application],
  });
  expect(made.status).toBe(201);
  source = made.body.id as string;
});
afterAll(() => world.server.close());
beforeEach(async () => {
  engine = await startFakeEngine();
});
afterEach(async () => {
  await world.clear();
  await engine.close();
});

/** Creates an endpoint with an adapter; returns its id. */
async function create(adapter: string, more: object = {}): Promise<string> {
  const answer = await world.call('POST', ENDPOINTS, {
    label: 'Engine',
    mode: 'push',
    url: engine.url,
    adapter,
    source,
    ...more,
  });
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body.id as string;
}
/** Creates an endpoint that may call its engine: Bonita has no calls without credentials. */
async function connect(adapter: string, more: object = {}): Promise<string> {
  const id = await create(adapter, more);
  if (adapter === 'bonita') await signIn(id, { scheme: 'bearer', secret: 'given' });
  return id;
}
const setCredentials = (id: string, body: object): Promise<Answer> =>
  world.call('PUT', `${ENDPOINTS}/${id}/credentials`, body);
async function signIn(id: string, body: object): Promise<void> {
  const answer = await setCredentials(id, body);
  expect([answer.status, answer.text]).toEqual([204, '']);
}
let count = 0;
const newTask = (more: object = {}): Promise<string> =>
  world.task({
    assignee: bruno,
    source,
    externalId: `task ${++count}/ü`,
    outcomes: [{ name: 'approve' }, { name: 'reject' }],
    ...more,
  });
function write(id: string, values: object, token = world.bruno): Promise<Answer> {
  const operations = Object.entries(values).map(([name, value]) => ({
    op: 'replace',
    path: `/${name}`,
    value,
  }));
  return world.call('PATCH', `${TASKS}/${id}`, operations, token);
}
async function decide(id: string, values: object = {}): Promise<void> {
  const answer = await write(id, {
    status: 'done',
    outcome: 'approve',
    comment: 'Fine',
    ...values,
  });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}
const becomes = (id: string, expected: object): Promise<void> =>
  eventually(async () => {
    const { body } = await world.call('GET', `${TASKS}/${id}`);
    expect(body).toMatchObject(expected);
  });
const lastOfHistory = async (id: string): Promise<[string, string | null]> => {
  const { body } = await world.call('GET', `${TASKS}/${id}/history`);
  const { kind, comment } = body.at(-1) as { kind: string; comment: string | null };
  return [kind, comment];
};
const lines = (): string[] => engine.requests.map(({ line }) => line);
/** Makes the next attempt due until the engine has had this number of calls: one attempt more may follow. */
const hurryTo = (calls: number): Promise<void> =>
  eventually(async () => {
    await world.hurry();
    expect(engine.requests.length).toBeGreaterThanOrEqual(calls);
  });

const CAMUNDA7_VARIABLES = {
  outcome: { value: 'approve', type: 'String' },
  comment: { value: 'Fine', type: 'String' },
  actor: { value: 'bruno.keller', type: 'String' },
};
const PLAIN = { outcome: 'approve', comment: 'Fine', actor: 'bruno.keller' };

/** How each engine is called, and what it says. */
const KINDS = {
  camunda7: {
    path: (id: string) => `POST /engine/task/${id}/complete`,
    body: { variables: CAMUNDA7_VARIABLES },
    success: json(204),
    probe: 'GET /engine/version',
    gone: [
      json(500, { type: 'RestException', message: 'Cannot find task', code: 0 }),
      json(404, { type: 'InvalidRequestException', message: 'No matching task' }),
    ],
    refusals: [
      json(400, { type: 'InvalidRequestException', message: REASON }),
      json(500, { type: 'RestException', message: REASON, code: 22_222 }),
    ],
    // A path that the engine does not have, and a proxy.
    passing: [json(404, { status: 404, error: 'Not Found' }), json(400, { reason: REASON })],
  },
  camunda8: {
    path: (id: string) => `POST /engine/v2/user-tasks/${id}/completion`,
    body: { variables: PLAIN },
    success: json(204),
    probe: 'GET /engine/v2/topology',
    gone: [json(404, { type: 'about:blank', title: 'NOT_FOUND', status: 404, detail: 'None' })],
    refusals: [json(400, { type: 'about:blank', title: 'INVALID_ARGUMENT', detail: REASON })],
    passing: [json(404, { title: 'Not Found', status: 404 }), json(400, { message: REASON })],
  },
  flowable: {
    path: (id: string) => `POST /engine/runtime/tasks/${id}`,
    body: {
      action: 'complete',
      variables: Object.entries(PLAIN).map(([name, value]) => ({ name, type: 'string', value })),
    },
    success: json(200),
    probe: 'GET /engine/management/engine',
    gone: [json(404, { message: 'Not found', exception: 'Could not find a task with id' })],
    refusals: [json(400, { message: 'Bad request', exception: REASON })],
    passing: [
      json(404, { status: 404, error: 'Not Found' }),
      json(409, { message: 'Conflict', exception: 'updated by another transaction' }),
    ],
  },
  bonita: {
    path: (id: string) => `POST /engine/API/bpm/userTask/${id}/execution?assign=true`,
    body: PLAIN,
    success: json(204),
    probe: 'GET /engine/API/system/session/unusedId',
    gone: [json(404, { exception: 'class org.bonitasoft.UserTaskNotFoundException', message: '' })],
    refusals: [
      json(400, { exception: 'class ContractViolationException', explanations: [REASON] }),
      json(400, { exception: 'class ContractViolationException', message: REASON }),
    ],
    passing: [
      json(404, { exception: 'class java.lang.Exception' }),
      json(500, { exception: 'class FlowNodeExecutionException', message: 'not ready' }),
    ],
  },
} satisfies Record<string, unknown> as Record<
  string,
  {
    path: (id: string) => string;
    body: object;
    success: EngineBehaviour;
    probe: string;
    gone: EngineBehaviour[];
    refusals: EngineBehaviour[];
    passing: EngineBehaviour[];
  }
>;

describe.each(Object.entries(KINDS))('the adapter of %s', (adapter, kind) => {
  it('completes the task of the engine with a single call', async () => {
    engine.usual = kind.success;
    const endpoint = await connect(adapter);
    const externalId = `task ${++count}/ü`;
    const id = await newTask({ externalId });
    await world.change(id, { title: 'Approve it all' });
    await decide(id);
    await becomes(id, { status: 'done', confirmation: 'confirmed' });
    expect(lines()).toEqual([kind.path(encodeURIComponent(externalId))]);
    const [{ headers, body }] = engine.requests as [FakeEngine['requests'][0]];
    expect(JSON.parse(body)).toEqual(kind.body);
    expect(headers['content-type']).toBe('application/json');
    expect(headers.authorization).toBe(adapter === 'bonita' ? 'Bearer given' : undefined);
    expect(await lastOfHistory(id)).toEqual(['confirmed', null]);
    await eventually(async () =>
      expect(await world.deliveries(endpoint)).toMatchObject([
        { kind: 'task.decided', status: 'delivered', log: [{ message: null }] },
      ]),
    );
  });

  it('takes a task that the engine has completed already as confirmed, and says so', async () => {
    engine.answers = [...kind.gone];
    const endpoint = await connect(adapter);
    const id = await newTask();
    await decide(id);
    await becomes(id, { status: 'done', confirmation: 'confirmed' });
    expect(await lastOfHistory(id)).toEqual(['confirmed', ALREADY]);
    await eventually(async () =>
      expect(await world.deliveries(endpoint)).toMatchObject([
        { status: 'delivered', log: [{ message: ALREADY }] },
      ]),
    );
  });

  it('opens the task again with the reason of the engine, which takes the next decision', async () => {
    engine.usual = kind.success;
    await connect(adapter);
    for (const refusal of kind.refusals) {
      engine.answers = [refusal];
      const id = await newTask();
      await decide(id);
      await becomes(id, { status: 'open', confirmation: 'refused', refusalReason: REASON });
      expect(await lastOfHistory(id)).toEqual(['refused', REASON]);
      await decide(id, { outcome: 'reject' });
      await becomes(id, { status: 'done', confirmation: 'confirmed', refusalReason: null });
    }
  });

  it('repeats a decision after errors that may pass or be repaired', async () => {
    const faults = [...kind.passing, json(401), json(403), json(503), json(500, 'no object')];
    engine.usual = kind.success;
    await connect(adapter);
    for (const fault of faults) {
      const seen = engine.requests.length;
      // The second answer is held: only then does the state after the first one stand still.
      let answer: (() => void) | undefined;
      engine.answers = [
        fault,
        (response, request) => (answer = () => kind.success(response, request)),
      ];
      const id = await newTask();
      await decide(id);
      await hurryTo(seen + 2);
      await becomes(id, { status: 'done', confirmation: 'pending' });
      answer!();
      await becomes(id, { confirmation: 'confirmed' });
    }
  });

  it('tries address and credentials by a call that changes nothing', async () => {
    engine.usual = json(200, {});
    const endpoint = await connect(adapter);
    expect((await world.call('POST', `${ENDPOINTS}/${endpoint}/test`)).status).toBe(201);
    await eventually(() => expect(lines()).toEqual([kind.probe]));
    await eventually(async () =>
      expect(await world.deliveries(endpoint)).toMatchObject([
        { kind: 'endpoint.test', status: 'delivered' },
      ]),
    );
  });
});

describe('the adapter of Camunda 7', () => {
  it('repeats the decision when the process cannot continue but the task still waits', async () => {
    engine.answers = [
      json(500, { type: 'RestException', message: 'Delegate failed', code: 0 }),
      json(200, { id: 'task' }),
    ];
    await connect('camunda7');
    const id = await newTask({ externalId: 'kept' });
    await decide(id);
    await hurryTo(3);
    await becomes(id, { confirmation: 'confirmed' });
    const complete = 'POST /engine/task/kept/complete';
    expect(lines()).toEqual([complete, 'GET /engine/task/kept', complete]);
  });
});

describe('the adapter of Camunda 8', () => {
  const wrongState = json(409, { title: 'INVALID_STATE', status: 409, detail: REASON });

  it.each(['COMPLETED', 'CANCELED'])(
    'takes a task in the wrong state as confirmed when it is %s',
    async (state) => {
      engine.answers = [wrongState, json(200, { state })];
      await connect('camunda8');
      const id = await newTask({ externalId: '2251799813685281' });
      await decide(id);
      await becomes(id, { confirmation: 'confirmed' });
      expect(lines()[1]).toBe('GET /engine/v2/user-tasks/2251799813685281');
      expect(await lastOfHistory(id)).toEqual(['confirmed', ALREADY]);
      await world.server.database.query('DELETE FROM tasks WHERE id = $1', [id]);
    },
  );

  it('believes that a listener has denied the task when it still waits the second time', async () => {
    const waits = json(200, { state: 'CREATED' });
    let answer: (() => void) | undefined;
    const held: EngineBehaviour = (response, request) =>
      (answer = () => wrongState(response, request));
    engine.answers = [wrongState, waits, wrongState, json(404), held, waits];
    await connect('camunda8');
    const id = await newTask();
    await decide(id);
    await hurryTo(5);
    await becomes(id, { confirmation: 'pending' });
    answer!();
    await becomes(id, { status: 'open', confirmation: 'refused', refusalReason: REASON });
  });
});

describe('an endpoint with an adapter', () => {
  it('sends the variables that it names, under the names of the process', async () => {
    await connect('camunda8', { variables: ['decision=outcome', 'actor'] });
    const id = await newTask();
    await decide(id);
    await becomes(id, { confirmation: 'confirmed' });
    expect(JSON.parse(engine.requests[0]!.body)).toEqual({
      variables: { decision: 'approve', actor: 'bruno.keller' },
    });
  });

  it('signs in by HTTP Basic or a bearer token, which nothing shows', async () => {
    const endpoint = await connect('flowable');
    const before = await world.call('GET', `${ENDPOINTS}/${endpoint}`);
    expect(before.body).toMatchObject({ adapter: 'flowable', secrets: [] });
    await signIn(endpoint, { scheme: 'basic', user: 'rest-admin', secret: 'pä:ss' });
    const basic = await newTask();
    await decide(basic);
    await becomes(basic, { confirmation: 'confirmed' });
    await signIn(endpoint, { scheme: 'bearer', secret: 'a.b.c' });
    const bearer = await newTask();
    await decide(bearer);
    await becomes(bearer, { confirmation: 'confirmed' });
    const pair = Buffer.from('rest-admin:pä:ss').toString('base64');
    expect(engine.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${pair}`,
      'Bearer a.b.c',
    ]);
    const after = await world.call('GET', `${ENDPOINTS}/${endpoint}`);
    expect(after.body.secrets).toEqual([
      { creationDate: expect.any(String), expiration: null, publicKey: null },
    ]);
    expect(after.text).not.toContain('a.b.c');
    const stored = await world.server.database.query(
      `SELECT encode(sealed, 'escape') AS sealed, signature FROM endpoint_secrets
       UNION ALL SELECT after::text, action FROM audit WHERE object_uri = '/process/endpoints/${endpoint}'`,
    );
    expect(JSON.stringify(stored)).not.toMatch(/a\.b\.c|ss"|secret":"[^*]/);
    await signIn(endpoint, { scheme: 'none' });
    expect((await world.call('GET', `${ENDPOINTS}/${endpoint}`)).body.secrets).toEqual([]);
  });

  it('sends nothing without the credentials that it needs, and says so', async () => {
    const endpoint = await create('bonita');
    const state = async () => (await world.call('GET', `${ENDPOINTS}/${endpoint}`)).body.state;
    expect(await state()).toBe('no-secret');
    const tested = await world.call('POST', `${ENDPOINTS}/${endpoint}/test`);
    expect([tested.status, tested.body]).toEqual([
      409,
      {
        code: 409,
        message: 'The endpoint has no credentials with which it would sign in: set them',
      },
    ]);
    const id = await newTask();
    await decide(id);
    await eventually(async () =>
      expect(await world.deliveries(endpoint)).toMatchObject([{ status: 'waiting', attempts: 0 }]),
    );
    // Another endpoint has been read and has sent its event since.
    const open = await create('flowable');
    expect((await world.call('POST', `${ENDPOINTS}/${open}/test`)).status).toBe(201);
    await eventually(() => expect(lines()).toEqual([KINDS.flowable!.probe]));
    await signIn(endpoint, { scheme: 'bearer', secret: 'given' });
    expect(await state()).toBe('active');
    await becomes(id, { confirmation: 'confirmed' });
  });

  it('keeps its credentials to one engine, whose address they do not outlive', async () => {
    const other = await startFakeEngine();
    const id = await connect('camunda7');
    const patch = (path: string, value: unknown): Promise<Answer> =>
      world.call('PATCH', `${ENDPOINTS}/${id}`, [{ op: 'replace', path, value }]);
    await signIn(id, { scheme: 'basic', user: 'rest-admin', secret: 'secret' });
    expect((await patch('/url', `${engine.url}/other`)).body.secrets).toHaveLength(1);
    expect((await patch('/url', other.url)).body).toMatchObject({
      secrets: [],
      state: 'no-secret',
    });
    expect((await world.call('POST', `${ENDPOINTS}/${id}/test`)).status).toBe(409);
    await signIn(id, { scheme: 'none' });
    expect((await world.call('GET', `${ENDPOINTS}/${id}`)).body.state).toBe('active');
    expect((await world.call('POST', `${ENDPOINTS}/${id}/test`)).status).toBe(201);
    await eventually(() => expect(other.requests).toHaveLength(1));
    expect(other.requests[0]!.headers).not.toHaveProperty('authorization');
    await signIn(id, { scheme: 'basic', user: 'rest-admin', secret: 'secret' });
    const { body } = await world.call('GET', `${ENDPOINTS}/${id}`);
    const put = await world.call('PUT', `${ENDPOINTS}/${id}`, { ...body, url: engine.url });
    expect([put.status, put.body.secrets]).toEqual([200, []]);
    await signIn(id, { scheme: 'basic', user: 'rest-admin', secret: 'secret' });
    expect((await patch('/adapter', 'flowable')).body.secrets).toEqual([]);
    const dropped = await world.server.database.query(
      `SELECT FROM audit WHERE object_uri = '/process/endpoints/${id}' AND after->>'credentials' = 'dropped'`,
    );
    expect(dropped).toHaveLength(3);
    await other.close();
  });

  it('gets a token by the OAuth client credentials flow, and another one after a 401', async () => {
    const token = (value: string) => json(200, { access_token: value, expires_in: 300 });
    engine.answers = [token('one'), json(204), json(401), token('two'), json(204), json(204)];
    const endpoint = await connect('camunda8');
    await signIn(endpoint, {
      scheme: 'oauth',
      user: 'client',
      secret: 's&cret',
      tokenUrl: `${engine.url}/token`,
      audience: 'zeebe.camunda.io',
    });
    for (let round = 0; round < 3; round++) {
      const id = await newTask({ externalId: `o${round}` });
      await decide(id);
      await becomes(id, { confirmation: 'confirmed' });
    }
    const complete = (id: string) => `POST /engine/v2/user-tasks/${id}/completion`;
    expect(engine.requests.map(({ line, headers }) => [line, headers.authorization])).toEqual([
      ['POST /engine/token', undefined],
      [complete('o0'), 'Bearer one'],
      [complete('o1'), 'Bearer one'],
      ['POST /engine/token', undefined],
      [complete('o1'), 'Bearer two'],
      [complete('o2'), 'Bearer two'],
    ]);
    expect(Object.fromEntries(new URLSearchParams(engine.requests[0]!.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client',
      client_secret: 's&cret',
      audience: 'zeebe.camunda.io',
    });
  });

  it('signs in at Bonita with a session and its token, and says why it cannot', async () => {
    const signedIn: EngineBehaviour = (response) =>
      response
        .writeHead(204, {
          'Set-Cookie': ['JSESSIONID=abc; Path=/; HttpOnly', 'X-Bonita-API-Token=t0k; Path=/'],
        })
        .end();
    engine.answers = [json(401), signedIn, json(204)];
    const endpoint = await connect('bonita');
    await signIn(endpoint, { scheme: 'basic', user: 'walter.bates', secret: 'bpm' });
    const id = await newTask({ externalId: '60005' });
    await decide(id);
    await hurryTo(3);
    await becomes(id, { confirmation: 'confirmed' });
    const [, login, execution] = engine.requests;
    expect([login!.line, login!.body]).toEqual([
      'POST /engine/loginservice',
      'username=walter.bates&password=bpm&redirect=false',
    ]);
    expect(execution!.headers).toMatchObject({
      cookie: 'JSESSIONID=abc; X-Bonita-API-Token=t0k',
      'x-bonita-api-token': 't0k',
    });
    await eventually(async () => {
      const [delivery] = await world.deliveries(endpoint, 'status:eq:delivered');
      expect(delivery?.log[0]).toMatchObject({
        status: null,
        message: 'the sign-in at the engine failed: status 401',
      });
    });
  });

  it('waits for an engine that hangs, and sends no decision that was taken back', async () => {
    let answer: (() => void) | undefined;
    engine.answers = [(response) => (answer = () => response.writeHead(503).end())];
    const endpoint = await connect('flowable');
    const id = await newTask({ externalId: 'hangs' });
    await decide(id);
    await eventually(() => expect(engine.requests).toHaveLength(1));
    expect((await write(id, { status: 'open' })).status).toBe(200);
    engine.usual = json(200, { id: 'hangs' });
    answer!();
    await eventually(async () => {
      await world.hurry();
      expect(await world.deliveries(endpoint)).toMatchObject([
        {
          status: 'delivered',
          log: [
            { status: 503 },
            { status: null, message: 'not sent: the decision was taken back' },
          ],
        },
      ]);
    });
    expect(lines()).toEqual([
      'POST /engine/runtime/tasks/hangs',
      'GET /engine/runtime/tasks/hangs',
    ]);
    await becomes(id, { status: 'open', confirmation: null });
  });

  it.each([
    ['open', []],
    ['decided in another way', [{ outcome: 'reject', comment: 'Too expensive' }]],
  ])(
    'keeps a decision that the engine took while the task was %s again',
    async (_state, decisions) => {
      let answer: (() => void) | undefined;
      engine.answers = [(response) => (answer = () => response.writeHead(204).end())];
      const endpoint = await connect('camunda7');
      const id = await newTask();
      await decide(id);
      await eventually(() => expect(engine.requests).toHaveLength(1));
      expect((await write(id, { status: 'open' })).status).toBe(200);
      for (const decision of decisions) await decide(id, decision);
      answer!();
      await becomes(id, {
        status: 'done',
        outcome: 'approve',
        comment: 'Fine',
        confirmation: 'confirmed',
        closedBy: { id: bruno },
      });
      const { body } = await world.call('GET', `${TASKS}/${id}/history`);
      expect(body.at(-1)).toMatchObject({
        kind: 'confirmed',
        by: null,
        outcome: 'approve',
        comment: TAKEN,
      });
      // Whatever else happened to the task is not for the engine.
      await eventually(async () => {
        await world.hurry();
        expect(await world.deliveries(endpoint, 'status:eq:waiting')).toEqual([]);
      });
      expect(engine.requests).toHaveLength(1);
      expect(await write(id, { status: 'open' })).toMatchObject({
        status: 409,
        body: { code: 409, message: 'The engine has confirmed the decision' },
      });
    },
  );

  it.each(Object.entries(KINDS))(
    'asks %s for the result of a decision whose answer was lost before it was withdrawn',
    async (adapter, { gone, path }) => {
      let answer: (() => void) | undefined;
      const lost: EngineBehaviour = (response) => (answer = () => response.destroy());
      engine.answers = [lost, gone.at(-1)!];
      await connect(adapter);
      const id = await newTask({ externalId: `lost at ${adapter}` });
      await decide(id);
      await eventually(() => expect(engine.requests).toHaveLength(1));
      expect((await write(id, { status: 'open' })).status).toBe(200);
      answer!();
      await hurryTo(2);
      await becomes(id, { status: 'done', outcome: 'approve', confirmation: 'confirmed' });
      expect(await lastOfHistory(id)).toEqual(['confirmed', TAKEN]);
      expect(lines()).toEqual([
        path(encodeURIComponent(`lost at ${adapter}`)),
        expect.stringMatching(/^GET /),
      ]);
    },
  );

  /** An engine of Camunda 7 whose answers are lost: it has a task or not, and keeps the outcome that came first. */
  function losingEngine(): { taken: string | undefined; hears: boolean; answers: boolean } {
    const state = { taken: undefined as string | undefined, hears: true, answers: false };
    engine.usual = (response, { line, body }) => {
      if (line.startsWith('POST') && state.taken === undefined && state.hears) {
        state.taken = (
          JSON.parse(body) as { variables: { outcome: { value: string } } }
        ).variables.outcome.value;
        if (state.answers) return response.writeHead(204).end();
      }
      if (!state.answers) return response.destroy();
      const gone = KINDS.camunda7!.gone[line.startsWith('POST') ? 0 : 1]!;
      return (state.taken === undefined ? json(200, {}) : gone)(response, {
        line,
        body,
        headers: {},
      });
    };
    return state;
  }
  const completions = (): number => lines().filter((line) => line.startsWith('POST')).length;
  /** Lets the only delivery of the endpoint fail for good. */
  async function giveUp(endpoint: string): Promise<void> {
    await eventually(async () => {
      await world.hurry();
      await world.server.database.query(
        `UPDATE deliveries SET attempts = 9 WHERE status = 'waiting' AND attempts BETWEEN 1 AND 8`,
      );
      expect(await world.deliveries(endpoint)).toMatchObject([{ status: 'failed' }]);
    });
  }
  const replay = async (endpoint: string): Promise<void> => {
    const answer = await world.call('POST', `${ENDPOINTS}/${endpoint}/replay`, { failed: true });
    expect(answer).toMatchObject({ status: 200, body: { count: 1 } });
  };

  it('gives the task the decision that the engine has, when the delivery had failed and is sent again', async () => {
    const engineState = losingEngine();
    const endpoint = await connect('camunda7');
    const id = await newTask();
    await decide(id);
    await giveUp(endpoint);
    expect((await write(id, { status: 'open' })).status).toBe(200);
    engineState.answers = true;
    await replay(endpoint);
    await becomes(id, { status: 'done', outcome: 'approve', confirmation: 'confirmed' });
    expect(await lastOfHistory(id)).toEqual(['confirmed', TAKEN]);
  });

  it('gives the task the decision that the engine has, when the delivery had failed and another decision followed', async () => {
    const engineState = losingEngine();
    const endpoint = await connect('camunda7');
    const id = await newTask();
    await decide(id);
    await giveUp(endpoint);
    const sent = completions();
    engineState.answers = true;
    expect((await write(id, { status: 'open' })).status).toBe(200);
    await decide(id, { outcome: 'reject', comment: 'Too expensive' });
    await becomes(id, {
      status: 'done',
      outcome: 'approve',
      comment: 'Fine',
      confirmation: 'confirmed',
    });
    expect(await lastOfHistory(id)).toEqual(['confirmed', TAKEN]);
    // The server read the task from the engine, and sent no decision.
    expect(completions()).toBe(sent);
  });

  it('knows which of two lost decisions the engine has', async () => {
    const engineState = losingEngine();
    engineState.hears = false;
    const endpoint = await connect('camunda7');
    const id = await newTask();
    await decide(id);
    await giveUp(endpoint);
    // The engine says that it does not have the first decision, then takes the second one, and its answer is lost.
    engine.answers = [
      json(200, {}),
      (response) => {
        engineState.taken = 'reject';
        response.destroy();
      },
    ];
    expect((await write(id, { status: 'open' })).status).toBe(200);
    await decide(id, { outcome: 'reject' });
    await eventually(() => expect(engineState.taken).toBe('reject'));
    await eventually(async () =>
      expect(await world.deliveries(endpoint, 'status:eq:waiting')).toMatchObject([
        { attempts: 1 },
      ]),
    );
    engineState.answers = true;
    await replay(endpoint);
    await eventually(async () => {
      await world.hurry();
      expect(await world.deliveries(endpoint, 'status:eq:waiting')).toEqual([]);
    });
    await becomes(id, { status: 'done', outcome: 'reject', confirmation: 'confirmed' });
    expect(await lastOfHistory(id)).toEqual(['confirmed', ALREADY]);
  });

  it('sends only tasks of its source that the engine knows, and that people decided', async () => {
    const endpoint = await connect('camunda7');
    const own = await newTask({ externalId: 'own' });
    const unknown = await newTask({ externalId: null });
    const foreign = await newTask({ source: null, externalId: null });
    const byEngine = await newTask({ externalId: 'by-engine' });
    expect(
      (await write(byEngine, { status: 'done', outcome: 'approve' }, world.engine)).status,
    ).toBe(200);
    for (const id of [unknown, foreign, own]) await decide(id);
    await becomes(own, { confirmation: 'confirmed' });
    for (const id of [unknown, foreign, byEngine])
      await becomes(id, { status: 'done', confirmation: null });
    expect(lines()).toEqual(['POST /engine/task/own/complete']);
    expect(await world.deliveries(endpoint)).toHaveLength(1);
  });

  it('never lets an external id lead to another call', async () => {
    const endpoint = await connect('camunda7');
    for (const externalId of ['..', '.']) {
      const id = await newTask({ externalId });
      await decide(id);
      await eventually(async () =>
        expect((await world.deliveries(endpoint)).at(-1)).toMatchObject({
          log: [{ message: `the externalId '${externalId}' cannot be a part of a path` }],
        }),
      );
    }
    // That is a fault of these tasks: the endpoint is not slowed.
    await eventually(async () => {
      await world.hurry();
      const [one] = await world.deliveries(endpoint);
      expect(one.attempts).toBeGreaterThan(6);
    });
    const { body: shown } = await world.call('GET', `${ENDPOINTS}/${endpoint}`);
    expect(shown.lastFailureDate).toBeNull();
    const id = await newTask({ externalId: '../admin?x=#/' });
    await decide(id);
    await becomes(id, { confirmation: 'confirmed' });
    expect(lines()).toEqual(['POST /engine/task/..%2Fadmin%3Fx%3D%23%2F/complete']);
  });

  it('goes only where the server parameter allows, also for its token', async () => {
    const bad = await world.call('POST', ENDPOINTS, {
      label: 'Elsewhere',
      mode: 'push',
      adapter: 'camunda8',
      source,
      url: 'http://10.0.0.2/engine-rest',
    });
    const message = (host: string) =>
      `leads to ${host}, which the server parameter deliveries.destinations does not allow`;
    expect(bad.body.fields).toEqual([{ name: 'url', message: message('10.0.0.2') }]);
    const endpoint = await connect('camunda8');
    const oauth = { scheme: 'oauth', user: 'u', secret: 's' };
    const token = await setCredentials(endpoint, { ...oauth, tokenUrl: 'http://10.0.0.1/token' });
    expect([token.status, token.body.fields]).toEqual([
      400,
      [{ name: 'tokenUrl', message: message('10.0.0.1') }],
    ]);
  });

  it('answers 400 naming everything that does not fit', async () => {
    const answer = await world.call('POST', ENDPOINTS, {
      label: 'Wrong',
      mode: 'push',
      url: `${engine.url}?x=1`,
      adapter: 'flowable',
      kinds: ['task.decided'],
      variables: ['outcome', 'who=actor', 'who=comment', 'price', 'x=title'],
    });
    expect([answer.status, answer.body.fields]).toEqual([
      400,
      [
        { name: 'source', message: 'is required for an endpoint with an adapter' },
        { name: 'kinds', message: 'must be left out: an adapter sends decisions alone' },
        { name: 'url', message: 'must have no query for an endpoint with an adapter' },
        {
          name: 'variables',
          message:
            'unknown variable price, x=title; known: outcome, comment, actor, or name=outcome for another name',
        },
      ],
    ]);
    const others = [
      [
        { mode: 'pull', adapter: 'flowable', source },
        'adapter',
        'must be left out for an endpoint of the mode pull',
      ],
      [
        { mode: 'pull', variables: ['actor'] },
        'variables',
        'must be left out for an endpoint without an adapter',
      ],
      [
        {
          mode: 'push',
          url: engine.url,
          adapter: 'bonita',
          source,
          variables: ['a=actor', 'a=comment'],
        },
        'variables',
        'must not have the same name twice',
      ],
    ] as const;
    for (const [body, name, message] of others) {
      const { status, body: error } = await world.call('POST', ENDPOINTS, {
        label: 'Wrong',
        ...body,
      });
      expect([status, error.fields]).toEqual([400, [{ name, message }]]);
    }
  });

  it('always confirms, whatever is written', async () => {
    const id = await connect('flowable', { confirms: false });
    const isTrue = async () =>
      expect((await world.call('GET', `${ENDPOINTS}/${id}`)).body.confirms).toBe(true);
    await isTrue();
    const patch = [{ op: 'replace', path: '/confirms', value: false }];
    expect((await world.call('PATCH', `${ENDPOINTS}/${id}`, patch)).status).toBe(200);
    await isTrue();
  });

  it('takes only the parts of its scheme as credentials, and no other secrets', async () => {
    const endpoint = await connect('flowable');
    const cases = [
      [{ scheme: 'digest' }, 'scheme', "must be 'none', 'basic', 'bearer' or 'oauth'"],
      [{ scheme: 'basic', user: 'kermit' }, 'secret', 'is required with the scheme basic'],
      [
        { scheme: 'bearer', user: 'u', secret: 's' },
        'user',
        'must be left out with the scheme bearer',
      ],
      [{ scheme: 'none', scope: 's' }, 'scope', 'must be left out with the scheme none'],
      ...['two\nlines', 'two words', '€', 'tökén'].map(
        (secret) =>
          [
            { scheme: 'bearer', secret },
            'secret',
            'must be visible ASCII characters without blanks with the scheme bearer',
          ] as const,
      ),
      [
        { scheme: 'basic', user: 'a:b', secret: 's' },
        'user',
        'must not contain a colon with the scheme basic',
      ],
    ] as const;
    for (const [body, name, message] of cases) {
      const answer = await setCredentials(endpoint, body);
      expect([answer.status, answer.body.fields]).toEqual([400, [{ name, message }]]);
    }
    const colon = { scheme: 'basic', user: 'a:b', secret: 's:€' };
    expect((await setCredentials(await connect('bonita'), colon)).status).toBe(204);
    const conflicts = [
      [
        'POST',
        `${endpoint}/secrets`,
        {},
        'An endpoint with an adapter has credentials instead of secrets',
      ],
      [
        'PUT',
        `${await world.pull()}/credentials`,
        { scheme: 'none' },
        'Only an endpoint with an adapter has credentials',
      ],
    ] as const;
    for (const [method, path, body, message] of conflicts) {
      const answer = await world.call(method, `${ENDPOINTS}/${path}`, body);
      expect([answer.status, answer.body]).toEqual([409, { code: 409, message }]);
    }
  });
});
