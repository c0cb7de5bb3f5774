import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CommandResult, runCommand } from './support/command-line.js';
import {
  ENDPOINTS,
  type EndpointWorld,
  SECRETS_KEY,
  startEndpointWorld,
} from './support/endpoints.js';
import { eventually } from './support/eventually.js';
import { type Receiver, startReceiver, status } from './support/receiver.js';
import { urlOf } from './support/server-process.js';

/** Deliveries on the command line (docs/command-line.md). */

let world: EndpointWorld;
let receiver: Receiver;
let url: string;
beforeAll(async () => {
  world = await startEndpointWorld();
  receiver = await startReceiver();
  url = urlOf(world.server.database.connection);
});
afterAll(async () => {
  await receiver.close();
  await world.server.close();
});

const run = (...args: string[]): Promise<CommandResult> =>
  runCommand(args, { env: { DATABASE_URL: url, SECRETS_KEY } });

describe('the command line', () => {
  it('lists deliveries by state and task, and sends those again that have failed', async () => {
    const { id } = await world.push(receiver.url, { reference: 'ENGINE' });
    receiver.usual = status(400);
    const first = await world.task();
    await world.task();
    await eventually(async () =>
      expect(await world.deliveries(id, 'attempts:eq:1')).toHaveLength(2),
    );
    await world.server.database.query(
      `UPDATE deliveries SET status = 'failed', completion_date = now() WHERE task_id = $1`,
      [first],
    );
    const listed = await run('deliveries', 'list', 'engine', '--state', 'failed', '--json');
    expect([listed.code, listed.error]).toEqual([0, '']);
    const rows = JSON.parse(listed.out) as { id: string }[];
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        kind: 'task.created',
        task: `TASK-${first}`,
        revision: 1,
        status: 'failed',
        attempts: 1,
        nextAttempt: null,
        log: [
          { date: expect.any(String), duration: expect.any(Number), status: 400, message: null },
        ],
      },
    ]);
    const ofTask = await run('deliveries', 'list', 'ENGINE', '--task', `TASK-${first}`);
    expect(ofTask.out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(
        /^id +kind +task +revision +status +attempts +nextAttempt +lastAttempt/,
      ),
      expect.stringMatching(
        new RegExp(`^${rows[0]!.id} +task.created +TASK-${first} +1 +failed +1 `),
      ),
    ]);
    const states = JSON.parse((await run('endpoints', 'list', '--json')).out) as object[];
    expect(states).toEqual([
      {
        reference: 'ENGINE',
        mode: 'push',
        adapter: null,
        confirms: false,
        state: 'active',
        waiting: 1,
        failed: 1,
        lastSuccess: null,
        lastFailure: null,
        url: receiver.url,
      },
    ]);
    receiver.usual = status(204);
    expect(await run('deliveries', 'replay', 'ENGINE', '--failed')).toEqual({
      code: 0,
      out: '1\n',
      error: '',
    });
    await eventually(async () =>
      expect(await world.deliveries(id, 'status:eq:delivered')).toHaveLength(1),
    );
    await world.clear();
  });

  it('sends a test event, and says which endpoint has no secret', async () => {
    const { id } = await world.push(receiver.url, { reference: 'ENGINE' });
    const before = receiver.messages.length;
    const sent = await run('endpoints', 'test', 'ENGINE');
    expect(sent).toEqual({
      code: 0,
      out: expect.stringMatching(/^msg_[0-9a-f]{32}\n$/),
      error: '',
    });
    const [message] = (await receiver.hasGot(before + 1)).slice(before);
    expect(`${String(message!.headers['webhook-id'])}\n`).toBe(sent.out);
    await world.server.database.query('DELETE FROM endpoint_secrets WHERE endpoint_id = $1', [id]);
    const states = JSON.parse((await run('endpoints', 'list', '--json')).out) as object[];
    expect(states).toEqual([expect.objectContaining({ state: 'without a secret' })]);
    await world.clear();
  });

  it('sets the credentials of an adapter, whose secret it reads from standard input', async () => {
    const source = await world.call('POST', '/api/v2/process/sources', {
      label: 'Flowable',
      serviceAccount: 'process.engine',
    });
    const made = await world.call('POST', ENDPOINTS, {
      ...{ label: 'Flowable', reference: 'FLOW', mode: 'push', url: receiver.url },
      ...{ adapter: 'flowable', source: source.body.id },
    });
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
    const set = (input: string, ...args: string[]): Promise<CommandResult> =>
      runCommand(['endpoints', 'credentials', 'FLOW', ...args], {
        env: { DATABASE_URL: url, SECRETS_KEY },
        input,
      });
    expect(await set('test\n', 'basic', '--user', 'rest-admin')).toEqual({
      code: 0,
      out: 'the credentials of FLOW are set\n',
      error: '',
    });
    const rows = JSON.parse((await run('endpoints', 'list', '--json')).out) as object[];
    expect(rows).toEqual([
      expect.objectContaining({ adapter: 'flowable', confirms: true, state: 'active' }),
    ]);
    expect((await set('', 'basic', '--user', 'rest-admin')).code).toBe(1);
    expect((await set('', 'digest')).code).toBe(2);
    await world.clear();
    await world.call('DELETE', `/api/v2${source.body.uri}`);
  });

  it('lists the sources with their open tasks', async () => {
    const made = await world.call('POST', '/api/v2/process/sources', {
      reference: 'CRM',
      label: 'CRM',
      serviceAccount: 'process.engine',
    });
    expect(made.status).toBe(201);
    const { out } = await run('sources', 'list', '--json');
    expect(JSON.parse(out)).toEqual([
      { reference: 'CRM', label: 'CRM', serviceAccount: 'process.engine', open: 0 },
    ]);
  });

  it.each([
    [['deliveries', 'list', 'NOWHERE'], 1, 'there is no endpoint NOWHERE\n'],
    [
      ['deliveries', 'list', 'ENGINE', '--state', 'lost'],
      2,
      'the state must be one of waiting, leased, delivered, failed\n',
    ],
    [
      ['deliveries', 'replay', 'ENGINE'],
      2,
      'name the deliveries, or give --failed, but not both\n',
    ],
  ])('%j fails with one line', async (args, code, error) => {
    expect(await run(...args)).toEqual({ code, out: '', error });
  });
});
