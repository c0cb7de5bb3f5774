import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PARAMETERS } from '../src/security/parameter-definitions.js';
import { type Answer, startTestServer, type TestServer } from './support/test-server.js';

/** Every call of the README and of the guide for integrators is made, and answers what stands there. */

interface Example {
  file: string;
  command: string;
  answer: string;
}

const BASE = 'http://127.0.0.1:3000';

const examples: Example[] = ['README.md', 'docs/integrators.md'].flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  const blocks = text.matchAll(/```sh\n(curl [^\n]+)\n```\n\n```\n([\s\S]*?)\n```/g);
  return [...blocks].map(([, command = '', answer = '']) => ({ file, command, answer }));
});

let server: TestServer;
const secrets: Record<string, string> = {};
beforeAll(async () => {
  server = await startTestServer();
  secrets.TOKEN = await server.signIn('bruno.keller');
  secrets.ADMIN = await server.signIn('alice.martin');
  secrets.SYSADMIN = await server.signIn('sysadmin');
});
afterAll(() => server.close());

/** The words of a shell command, as far as the guides use the shell. */
function words(command: string): string[] {
  const plain = command
    .replace(/ \| grep .*$/, '')
    .replace(/\$(\w+)/g, (_, name: string) => secrets[name]!);
  return [...plain.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

async function run(command: string): Promise<{ answer: Answer; withHeaders: boolean }> {
  const [, ...args] = words(command);
  const call: { method?: string; headers: Record<string, string>; body?: string; from?: string } = {
    headers: {},
  };
  let url = '';
  let withHeaders = false;
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!;
    if (word === '-X') call.method = args[++i];
    else if (word === '-d') call.body = args[++i];
    else if (word === '--interface') call.from = args[++i];
    else if (word === '-H') {
      const [name = '', ...value] = args[++i]!.split(': ');
      call.headers[name] = value.join(': ');
    } else if (word.startsWith('-')) withHeaders = word.includes('i');
    else url = word;
  }
  call.method ??= call.body === undefined ? 'GET' : 'POST';
  return { answer: await server.call(url.replace(BASE, ''), call), withHeaders };
}

/** What differs from run to run: tokens, and what the server dated. */
const steady = (text: string): string =>
  text
    .replace(/"(token|code)":"[\w-]{43}"/g, '"$1":"…"')
    .replace(/\{"id":"\d+","date"/g, '{"id":"…","date"')
    .replace(/ppk_[\w-]+/g, 'ppk_…')
    .replace(/"requestId":"[\w-]+"/g, '"requestId":"…"')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g, '…')
    .replace(/"lastLoginDate":(null|"[^"]*")/g, '"lastLoginDate":…')
    .trim();

describe('the guide for administrators', () => {
  const text = readFileSync('docs/administrators.md', 'utf8');
  it.each(Object.values(PARAMETERS))(
    'tells of the server parameter $key',
    ({ key, defaultValue }) => {
      expect(text).toMatch(
        new RegExp(`\\| \`${key.replaceAll('.', '\\.')}\` +\\| \`${defaultValue || 'none'}\``),
      );
    },
  );
});

describe('the reference of the configuration', () => {
  it('is what the schema of the environment says', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['scripts/configuration.mjs', '--check'],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('the guides', () => {
  it('have examples', () => {
    expect(examples.length).toBeGreaterThan(35);
  });

  it.each(examples.map((example) => [example.command, example] as const))(
    '%s',
    async (command, example) => {
      const ran = await run(command);
      // Of an answer that is shown with headers, the lines that the guide filtered are there.
      const lines = example.answer.split('\n');
      const headers = ran.withHeaders ? lines.filter((line) => !/^[{[]/.test(line)) : [];
      const body = lines.slice(headers.length).join('\n');
      if (body !== '') expect(steady(ran.answer.text)).toBe(steady(body));
      for (const line of headers) {
        if (line.startsWith('HTTP/1.1')) expect(line).toContain(` ${ran.answer.status} `);
        else {
          const [name = '', ...value] = line.split(': ');
          expect([name, String(ran.answer.headers[name.toLowerCase()])]).toEqual([
            name,
            value.join(': '),
          ]);
        }
      }
    },
  );
});
