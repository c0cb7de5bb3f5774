import { describe, expect, it } from '@jest/globals';
import { useCommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { DEMO_PASSWORD } from '../support/test-server.js';

/** Server parameters and address rules on the command line (docs/command-line.md). */

const LIFETIME = 'com.platform.security.Token.lifetime';

const served = useCommandLine();
const { run } = served;

describe('the command line', () => {
  it('reads and sets parameters, and running servers follow', async () => {
    expect(await run(['parameters', 'get', LIFETIME])).toEqual({
      code: 0,
      out: '3600\n',
      error: '',
    });
    const short = LIFETIME.replace('com.platform.', '');
    expect(await run(['parameters', 'set', short, '120'])).toEqual({
      code: 0,
      out: `${LIFETIME} = 120\n`,
      error: '',
    });
    await eventually(async () => {
      const body = { login: 'bruno.keller', password: DEMO_PASSWORD };
      const answer = await served.server.call('/api/v2/authentication', { method: 'POST', body });
      expect(Date.parse(answer.body.expiration as string)).toBeLessThan(Date.now() + 121_000);
    });
    const [line] = await served.server.database.query(
      `SELECT actor_login, actor_uri, address, before, after FROM audit WHERE action = 'set-parameter'`,
    );
    expect(line).toEqual({
      actor_login: expect.stringMatching(/^command line \(.+\)$/),
      actor_uri: null,
      address: null,
      before: { value: 3600 },
      after: { value: 120 },
    });
    const list = JSON.parse((await run(['parameters', 'list', '--json'])).out) as {
      key: string;
      value: unknown;
      description: string;
    }[];
    const lifetime = list.find(({ key }) => key === LIFETIME)!;
    expect([lifetime.value, lifetime.description]).toEqual([
      120,
      'Lifetime of a token in seconds (60 to 2592000)',
    ]);
  }, 300_000);

  it.each([
    [['parameters', 'set', LIFETIME, 'x'], 'value: must be a whole number from 60 to 2592000\n'],
    [['parameters', 'get', 'x'], 'there is no parameter x: see parameters list\n'],
  ])('%j fails with one line', async (args, error) => {
    expect(await run(args)).toEqual({ code: 1, out: '', error });
  });

  it.each([[['addresses', 'explain', 'x'], 'x is not an IPv4 or IPv6 address\n']])(
    '%j is misuse',
    async (args, error) => {
      expect(await run(args)).toEqual({ code: 2, out: '', error });
    },
  );

  it('lets callers in again when no address is allowed', async () => {
    const rule = 'security.ExternalAuthenticationAction.allowedAddresses';
    const none = 'no address was refused in the last 24 hours\n';
    expect((await run(['addresses', 'explain'])).out).toBe(none);
    expect((await run(['addresses', 'explain', '--json'])).out).toBe('[]\n');
    // Another refusal, which is not about the address.
    expect((await served.server.call('/api/v2/directory/users')).status).toBe(401);
    await run(['parameters', 'set', rule, '']);
    await eventually(async () => expect((await served.server.call('/api/v2')).status).toBe(403));
    const explained = await run(['addresses', 'explain', '127.0.0.1', '--json']);
    expect(JSON.parse(explained.out)).toEqual([
      { rule: 'callers', address: '127.0.0.1', allowed: false, admittedBy: null, list: '' },
      {
        rule: 'sysadmin',
        address: '127.0.0.1',
        allowed: true,
        admittedBy: '127.0.0.1',
        list: '127.0.0.1, ::1',
      },
    ]);
    // Rejected calls are audited in batches.
    await eventually(async () => {
      const refused = await run(['addresses', 'explain']);
      expect(refused.out).toMatch(/127\.0\.0\.1 .*The calling address is not authorized/);
      expect(refused.out).not.toContain('You are not logged in');
    });
    await run(['parameters', 'set', rule, '127.0.0.1, ::1']);
    await eventually(async () => expect((await served.server.call('/api/v2')).status).toBe(200));
  }, 300_000);
});
