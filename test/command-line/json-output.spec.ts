import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { leavesOf, makeProgram } from '../../src/command-line/program.js';
import { useEndpointCommandLine } from '../support/endpoint-command-line.js';

/** Commands whose output programs read as it is; why. */
const WITHOUT_JSON: Record<string, string> = {
  serve: 'writes its log until a signal ends it',
  export: 'writes a file in the format that --format chooses',
  'audit export': 'writes a file in the format that --format chooses',
  'audit stream': 'sends lines until a signal ends it',
  completion: 'writes a script of the shell',
};

const served = useEndpointCommandLine();

/** What a command prints with `--json`. */
const printed = async (args: string[], input?: string): Promise<unknown> => {
  const { code, out, error } = await served.run([...args, '--json'], input);
  expect([args, code, error]).toEqual([args, 0, '']);
  return JSON.parse(out);
};

/** The reference of the endpoint that one test creates and others use. */
const endpoint = 'ORDERS';

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();

describe('--json', () => {
  it('is an option of every command that prints a result', () => {
    const commands = leavesOf(makeProgram(() => Promise.resolve()));
    const without = commands.filter(
      ({ options }) => !options.some(({ long }) => long === '--json'),
    );
    expect(without.map(nameOf)).toEqual(Object.keys(WITHOUT_JSON));
  });

  it('prints accounts', async () => {
    expect(await printed(['users', 'unlock', 'bruno.keller'])).toEqual([
      { login: 'bruno.keller', wasLocked: false },
    ]);
    expect(await printed(['users', 'reset-password', 'bruno.keller'])).toEqual([
      { login: 'bruno.keller', password: expect.stringMatching(/^.{20}$/) },
    ]);
    expect(
      await printed(['users', 'reset-password', 'bruno.keller', '--stdin'], 'A-given-Password-1\n'),
    ).toEqual([{ login: 'bruno.keller' }]);
  });

  it('prints an invitation for each person, or why there is none', async () => {
    const invited = await served.run(['users', 'invite', 'bruno.keller', 'nobody', '--json']);
    expect([invited.code, JSON.parse(invited.out)]).toEqual([
      1,
      [
        { login: 'nobody', link: null, mailedTo: null, problem: 'unknown' },
        {
          login: 'bruno.keller',
          link: expect.stringMatching(/\/workplace\/invitation#[\w-]{43}$/),
          mailedTo: null,
          problem: null,
        },
      ],
    ]);
  });

  it('prints parameters with typed values', async () => {
    const key = 'com.platform.security.Token.lifetime';
    const description = 'Lifetime of a token in seconds (60 to 2592000)';
    expect(await printed(['parameters', 'set', key, '7200'])).toEqual([
      { key, value: 7200, description },
    ]);
    expect(await printed(['parameters', 'get', key])).toEqual([{ key, value: 7200, description }]);
  });

  it('prints endpoints', async () => {
    const { url } = served.receiver;
    const named = ['--url', url, '--reference', endpoint];
    expect(await printed(['endpoints', 'create', 'Orders', ...named])).toEqual([
      { reference: endpoint },
    ]);
    expect(await printed(['endpoints', 'secret', endpoint])).toEqual([
      { endpoint, secret: expect.stringMatching(/^whsec_/) },
    ]);
    expect(await printed(['endpoints', 'pause', endpoint])).toEqual([
      { endpoint, status: 'paused' },
    ]);
    expect(await printed(['endpoints', 'resume', endpoint])).toEqual([
      { endpoint, status: 'active' },
    ]);
  });

  it('prints what is sent to an endpoint', async () => {
    expect(await printed(['endpoints', 'test', endpoint])).toEqual([
      { endpoint, messageId: expect.stringMatching(/^msg_/) },
    ]);
    expect(await printed(['deliveries', 'replay', endpoint, '--failed'])).toEqual([
      { endpoint, count: 0 },
    ]);
  });

  it('prints absences', async () => {
    const people = ['bruno.keller', 'chloe.lefevre'];
    const until = ['--until', new Date(Date.now() + 86_400_000).toISOString()];
    const [added] = (await printed(['absences', 'add', ...people, ...until])) as [
      { reference: string },
    ];
    expect(added).toEqual({ reference: expect.stringMatching(/^ABSENCE-\d+$/) });
    expect(await printed(['absences', 'end', added.reference])).toEqual([
      { absence: added.reference, state: 'ended' },
    ]);
  });
});
