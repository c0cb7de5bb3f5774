import { describe, expect, it } from '@jest/globals';
import { runCommand } from '../support/command-line.js';
import { useEndpointCommandLine } from '../support/endpoint-command-line.js';
import { ENDPOINTS } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { urlOf } from '../support/server-process.js';

/** Endpoints on the command line (docs/command-line.md). */

const served = useEndpointCommandLine();
const run = (...args: string[]) => served.run(args);

describe('the command line', () => {
  it('sends a test event, and says which endpoint has no secret', async () => {
    const { id } = await served.world.push(served.receiver.url, { reference: 'ENGINE' });
    const before = served.receiver.messages.length;
    const sent = await run('endpoints', 'test', 'ENGINE');
    expect(sent).toEqual({
      code: 0,
      out: expect.stringMatching(/^msg_[0-9a-f]{32}\n$/),
      error: '',
    });
    const [message] = (await served.receiver.hasGot(before + 1)).slice(before);
    expect(`${String(message!.headers['webhook-id'])}\n`).toBe(sent.out);
    const DATABASE_URL = urlOf(served.world.server.database.connection);
    const test = (SECRETS_KEY: string) =>
      runCommand(['endpoints', 'test', 'ENGINE'], { env: { DATABASE_URL, SECRETS_KEY } });
    expect(await test('another-key-of-the-tests-with-32-characters')).toEqual({
      code: 1,
      out: '',
      error:
        'SECRETS_KEY does not open the secret of ENGINE: give this command the key of the server, or renew the secret\n',
    });
    expect((await test('')).code).toBe(0);
    await served.receiver.hasGot(before + 2);
    await served.world.server.database.query(
      'DELETE FROM endpoint_secrets WHERE endpoint_id = $1',
      [id],
    );
    const states = JSON.parse((await run('endpoints', 'list', '--json')).out) as object[];
    expect(states).toEqual([expect.objectContaining({ state: 'no-secret' })]);
    expect(await run('endpoints', 'test', 'ENGINE')).toEqual({
      code: 1,
      out: '',
      error: 'The endpoint has no secret with which it would sign: make one\n',
    });
    await served.world.clear();
  });

  it('names in its help the adapters and kinds', async () => {
    const { out } = await run('endpoints', 'create', '--help');
    const words = out.replace(/\s+/g, ' ');
    expect(words).toContain('decisions are sent: camunda7, camunda8, flowable, bonita');
    expect(words).toContain(
      'only events of these kinds: task.created, task.changed, task.claimed,',
    );
  });

  it('creates an endpoint, makes its secret, and pauses and resumes it', async () => {
    const made = await run(
      ...['endpoints', 'create', 'Orders', '--url', served.receiver.url, '--reference', 'ORDERS'],
      ...['--applications', 'PURCHASE', 'LEAVE', '--kinds', 'task.created', '--thin'],
    );
    expect(made).toEqual({ code: 0, out: 'ORDERS\n', error: '' });
    const secret = await run('endpoints', 'secret', 'ORDERS', '--overlap', '1');
    expect(secret).toEqual({ code: 0, out: expect.stringMatching(/^whsec_\S+\n$/), error: '' });
    const { body } = await served.world.call('GET', `${ENDPOINTS}?filters=reference:eq:ORDERS`);
    const [{ id }] = body as [{ id: string }];
    const read = async () => (await served.world.call('GET', `${ENDPOINTS}/${id}`)).body;
    expect(await read()).toMatchObject({
      ...{
        label: 'Orders',
        mode: 'push',
        url: served.receiver.url,
        content: 'thin',
        signature: 'hmac',
      },
      ...{ kinds: ['task.created'], confirms: false, adapter: null, status: 'active' },
      applications: [{ reference: 'LEAVE' }, { reference: 'PURCHASE' }],
      secrets: [{ expiration: null }],
    });
    const before = served.receiver.messages.length;
    expect(await run('endpoints', 'pause', 'ORDERS')).toEqual({
      code: 0,
      out: 'ORDERS is paused\n',
      error: '',
    });
    expect((await read()).status).toBe('paused');
    await served.world.task();
    await eventually(async () => expect((await read()).waitingCount).toBe(1));
    expect(served.receiver.messages).toHaveLength(before);
    expect(await run('endpoints', 'resume', 'ORDERS')).toEqual({
      code: 0,
      out: 'ORDERS is active\n',
      error: '',
    });
    await served.receiver.hasGot(before + 1);
    const lines = await served.world.server.database.query(
      `SELECT actor_login ~ '^command line' AS here FROM audit WHERE object_uri = '/process/endpoints/${id}'`,
    );
    expect(lines).toEqual([{ here: true }, { here: true }, { here: true }, { here: true }]);
    await served.world.clear();
  });

  it('creates an endpoint of which workers fetch, and names every fault of a bad one', async () => {
    const made = await run('endpoints', 'create', 'Queue', '--account', 'process.engine');
    expect([made.code, made.error]).toEqual([0, '']);
    const { body } = await served.world.call('GET', ENDPOINTS);
    expect(body).toMatchObject([{ mode: 'pull', account: { label: 'Process Engine' } }]);
    expect(made.out).toBe(`${(body as [{ reference: string }])[0].reference}\n`);
    const bad = ['--url', 'https://198.51.100.7/', '--kinds', 'task.eaten'];
    expect(await run('endpoints', 'create', '', ...bad)).toEqual({
      code: 1,
      out: '',
      error: expect.stringMatching(
        /label: is required.*kinds: unknown kind task\.eaten.*url: leads to .*does not allow/s,
      ),
    });
    await served.world.clear();
  });

  it.each([
    [
      ['endpoints', 'secret', 'ENGINE', '--overlap', 'long'],
      2,
      'the overlap must be a whole number of hours from 0 to 720\n',
    ],
    [['endpoints', 'pause', 'NOWHERE'], 1, 'there is no endpoint NOWHERE\n'],
    [
      ['endpoints', 'create', 'Orders', '--source', 'NOWHERE'],
      1,
      "source: there is no source 'NOWHERE'\n",
    ],
  ])('%j fails with one line', async (args, code, error) => {
    expect(await run(...args)).toEqual({ code, out: '', error });
  });
});
