import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PARAMETERS } from '../../src/security/parameters/parameter-definitions.js';
import { runCommand } from '../support/command-line.js';
import { SECRETS_KEY } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { urlOf } from '../support/server-process.js';
import { type Answer, startTestServer, type TestServer } from '../support/test-server.js';

/**
 * Makes every call of the README, of the guides by job and of the contract, and compares the answers with the documented
 * ones. Documented JSON is formatted, and `…` stands for omitted parts of an array, object or text.
 */

interface Example {
  file: string;
  command: string;
  answer: string;
}

const BASE = 'http://127.0.0.1:3000';

/** What later commands take from an answer, by the name of its variable. */
const FROM_ANSWERS = {
  KEY: /"key":"(ppk_[\w-]+)"/,
  STAFF: /^\{"token":"([\w-]{43})"/,
  CURSOR: /"next":"([\w.-]+)"/,
  WAITING: /^\[\{"id":"(\d+)","uri":"\/process\/tasks\//,
  DELIVERY: /^(?:\{"deliveries":)?\[\{"id":"(\d+)","(?:retries|topicName)"/,
};

/** The guide whose engine runs in the background, so that what it causes takes a moment. */
const WITH_ENGINE = 'docs/connect-an-engine.md';

/** The pages whose calls are made, in this order. */
const WITH_CALLS = [
  'README.md',
  'docs/build-a-portal.md',
  'docs/provision-people.md',
  WITH_ENGINE,
  'docs/api-contract.md',
];

const examples: Example[] = WITH_CALLS.flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  const blocks = text.matchAll(
    /```sh\n((?:curl|FOLDER=\S+ PASSWORD=\S+ node) [^\n]+)\n```\n\n```\n([\s\S]*?)\n```/g,
  );
  return [...blocks].map(([, command = '', answer = '']) => ({ file, command, answer }));
});

let server: TestServer;
let engine: ChildProcess | undefined;
let folder = '';
const secrets: Record<string, string> = {};
beforeAll(async () => {
  server = await startTestServer({ SECRETS_KEY });
  secrets.TOKEN = await server.signIn('bruno.keller');
  secrets.ADMIN = await server.signIn('alice.martin');
  secrets.ENGINE = await server.signIn('process.engine');
});
afterAll(async () => {
  engine?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

/** Splits a shell command into words, as far as the guides use the shell's syntax; `'…'$NAME'…'` is one word. */
function words(command: string): string[] {
  const plain = command
    .replace(/ \| grep .*$/, '')
    .replace(/'?\$(\w+)'?/g, (_, name: string) => secrets[name]!);
  return [...plain.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}

async function run(command: string): Promise<{ answer: Answer; withHeaders: boolean }> {
  const [, ...args] = words(command);
  const call: { method?: string; headers: Record<string, string>; body?: string } = { headers: {} };
  let url = '';
  let withHeaders = false;
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!;
    if (word === '-X') call.method = args[++i];
    else if (word === '-d') call.body = args[++i];
    else if (word === '-H') {
      const [name = '', ...value] = args[++i]!.split(': ');
      call.headers[name] = value.join(': ');
    } else if (word.startsWith('-')) withHeaders = word.includes('i');
    else url = word;
  }
  call.method ??= call.body === undefined ? 'GET' : 'POST';
  const answer = await server.call(url.replace(BASE, ''), call);
  for (const [name, pattern] of Object.entries(FROM_ANSWERS))
    secrets[name] = pattern.exec(answer.text)?.[1] ?? secrets[name] ?? '';
  return { answer, withHeaders };
}

/** Masks values that differ from run to run: tokens and timestamps of the server, and what depends on the time of day. */
const steady = (text: string): string =>
  text
    .replace(/": /g, '":')
    .replace(/"(token|code)":"[\w-]{43}"/g, '"$1":"…"')
    .replace(/\{\s*"id":"\d+",\s*"date"/g, '{"id":"…","date"')
    .replace(/ppk_[\w-]+/g, 'ppk_…')
    .replace(/"requestId":"[\w-]+"/g, '"requestId":"…"')
    .replace(/"overdue":\d+/g, '"overdue":"…"')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/g, '…')
    .replace(/\d{1,2} [A-Z][a-z]{2,3} \d{4}, \d\d:\d\d/g, '…')
    .replace(/"lastLoginDate":(null|"[^"]*")/g, '"lastLoginDate":"…"')
    .trim();

/** Parses the JSON of a guide: a bare `…` becomes a last element or a last member of that name. */
function parseShown(text: string): unknown {
  const quoted = text.replace(/("(?:[^"\\]|\\.)*")|…(?=\s*([\]}]))/g, (_, string, bracket) =>
    string !== undefined ? string : bracket === ']' ? '"…"' : '"…":"…"',
  );
  return JSON.parse(quoted);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The part of an answer that a guide shows: a documented `…` cuts the answer at its position. */
function partShown(answer: unknown, shown: unknown): unknown {
  if (typeof shown === 'string' && shown.endsWith('…'))
    return typeof answer === 'string' && answer.startsWith(shown.slice(0, -1)) ? shown : answer;
  if (Array.isArray(shown) && Array.isArray(answer)) {
    const isCut = shown.at(-1) === '…';
    const items = isCut ? answer.slice(0, shown.length - 1) : answer;
    return [...items.map((item, at) => partShown(item, shown[at])), ...(isCut ? ['…'] : [])];
  }
  if (isObject(shown) && isObject(answer)) {
    const names = Object.keys(answer).filter((name) => !('…' in shown) || name in shown);
    const members = names.map((name): [string, unknown] => [
      name,
      partShown(answer[name], shown[name]),
    ]);
    return Object.fromEntries('…' in shown ? [...members, ['…', '…']] : members);
  }
  return answer;
}

function expectShown(answer: string, shown: string): void {
  if (!/^[{[]/.test(shown)) return expect(steady(answer)).toBe(steady(shown));
  const expected = parseShown(steady(shown));
  // Compared as texts, so that the order of members counts too.
  const texts = [partShown(JSON.parse(steady(answer)), expected), expected].map((value) =>
    JSON.stringify(value, null, 1),
  );
  expect(texts[0]).toBe(texts[1]);
}

describe('an answer shown in a guide', () => {
  it.each([
    ['{"a":1,"b":2}', '{ "a": 1, … }', true],
    ['{"a":1,"b":2}', '{ "a": 1 }', false],
    ['{"a":1,"b":2}', '{ "c": 1, … }', false],
    ['{"a":1,"b":2}', '{ "b": 2, "a": 1 }', false],
    ['[1,2]', '[1, …]', true],
    ['[1,2]', '[1]', false],
    ['[1]', '[1, 2]', false],
    ['{"a":"long … text"}', '{ "a": "long …" }', true],
    ['{"a":"text"}', '{ "a": "long …" }', false],
    ['[{"a":[{"b":1,"c":2},3]},4]', '[{ "a": [{ "b": 1, … }, …] }, …]', true],
  ])('of %s may be %s: %s', (answer, shown, isPart) => {
    const compare = (): void => expectShown(answer, shown);
    if (isPart) compare();
    else expect(compare).toThrow();
  });

  it('has no line longer than 200 characters', () => {
    const long = examples.flatMap(({ answer }) =>
      answer.split('\n').filter((line) => line.length > 200),
    );
    expect(long).toEqual([]);
  });
});

describe('the reference for administrators', () => {
  const text = readFileSync('docs/administrators.md', 'utf8');
  it.each(Object.values(PARAMETERS))(
    'explains the server parameter $key',
    ({ key, defaultValue }) => {
      expect(text).toMatch(
        new RegExp(`\\| \`${key.replaceAll('.', '\\.')}\` +\\| \`${defaultValue || 'none'}\``),
      );
    },
  );
});

describe('a reference that is made from the code', () => {
  it.each(['configuration', 'reasons'])('docs/%s.md is up to date', (name) => {
    const { status, stderr } = spawnSync(process.execPath, [`scripts/${name}.mjs`, '--check'], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('the guides', () => {
  it('contain examples for this test', () => {
    expect(examples.length).toBeGreaterThan(30);
  });

  it.each(examples.map((example) => [example.command, example] as const))(
    '%s',
    async (command, example) => {
      if (!command.startsWith('curl')) return expectEngine(command, example.answer);
      const isRead = !/ -[dXT] /.test(command);
      const check = () => expectExample(command, example);
      await (example.file === WITH_ENGINE && isRead ? eventually(check) : check());
    },
  );
});

describe('the guide to connect an engine, whose tasks wait now', () => {
  const assignments = [
    ...readFileSync(WITH_ENGINE, 'utf8').matchAll(/^(\w+)=\$\((curl .+) \| (sed '.+')\)$/gm),
  ].map(([, name = '', command = '', sed = '']) => [name, command, sed] as const);

  it('takes values from answers', () => {
    expect(assignments.map(([name]) => name)).toEqual(['ADMIN', 'TOKEN', 'WAITING']);
  });

  it.each(assignments)('%s=$(%s | %s)', async (name, command, sed) => {
    const { answer } = await run(command);
    const taken = spawnSync('sh', ['-c', sed], { input: answer.text, encoding: 'utf8' }).stdout;
    const whole = name === 'WAITING' ? `"id":"${taken.trim()}"` : `"token":"${taken.trim()}"`;
    expect([taken, answer.text]).toEqual([
      expect.stringMatching(/^[\w-]+\n?$/),
      expect.stringContaining(whole),
    ]);
  });
});

async function expectExample(command: string, example: Example): Promise<void> {
  const ran = await run(command);
  // If the guide shows headers, the answer contains all of these lines.
  const lines = example.answer.split('\n');
  const bodyAt = lines.findIndex((line) => /^[{[]/.test(line));
  const headers = ran.withHeaders ? lines.slice(0, bodyAt < 0 ? undefined : bodyAt) : [];
  const body = lines.slice(headers.length).join('\n');
  if (body !== '') expectShown(ran.answer.text, body);
  for (const line of headers) {
    if (line.startsWith('HTTP/1.1')) expect(line).toContain(` ${ran.answer.status} `);
    else {
      const [name = '', ...value] = line.split(': ');
      const sent = String(ran.answer.headers[name.toLowerCase()]);
      const shown = value.join(': ');
      expect([name, partShown(sent, shown)]).toEqual([name, shown]);
    }
  }
}

/** Starts the engine of a guide, which goes on in the background, and waits for what it says. */
async function expectEngine(command: string, said: string): Promise<void> {
  const [, password = '', args = ''] = /PASSWORD=(\S+) node (.*)$/.exec(command)!;
  folder = mkdtempSync(join(tmpdir(), 'purchases-'));
  engine = spawn(process.execPath, args.split(' '), {
    env: {
      PATH: process.env.PATH,
      FOLDER: folder,
      PASSWORD: password,
      PLATFORM_URL: `http://127.0.0.1:${server.port}`,
    },
  });
  let output = '';
  for (const stream of [engine.stdout!, engine.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await eventually(() => expect(output).toBe(`${said}\n`));
}

describe('the guide to connect an engine', () => {
  const commands = [
    ...readFileSync(WITH_ENGINE, 'utf8').matchAll(/^(?:\|.*`)?npx process-platform ([^`\n]+)/gm),
  ].map(([, command = '']) => command.replaceAll("'", ''));

  it('has a command for each way back, and one that allows a destination', () => {
    expect(commands).toHaveLength(8);
  });

  it.each(commands)('npx process-platform %s', async (command) => {
    const DATABASE_URL = urlOf(server.database.connection);
    const result = await runCommand(command.split(' '), { env: { DATABASE_URL, SECRETS_KEY } });
    expect(result).toEqual({ code: 0, out: expect.stringMatching(/^\S.*\n$/), error: '' });
  });
});

/** Every page of the documentation with its text. */
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs']
  .flatMap((path) =>
    path.endsWith('.md')
      ? [path]
      : readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(path, file)),
  )
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the documentation', () => {
  it('links only to files and sections that exist', () => {
    const links = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
        ([, path = '', anchor]) => ({
          from: file,
          target: path === '' ? file : join(dirname(file), path),
          anchor,
        }),
      ),
    );
    expect(links.length).toBeGreaterThan(100);
    const broken = links.filter(
      ({ target, anchor }) =>
        !existsSync(target) ||
        (anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)),
    );
    expect(broken).toEqual([]);
  });

  it('names only specs that exist', () => {
    const specs = new Set(
      ['src', 'test'].flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
          basename(file, '.ts'),
        ),
      ),
    );
    const named = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/(?<![\w.-])([\w-]+(?:\.long)?\.spec)\b/g)].map(
        ([, spec = '']) => [file, spec] as const,
      ),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(([, spec]) => !specs.has(spec))).toEqual([]);
  });

  it('has an index of all pages', () => {
    const index = readFileSync('docs/README.md', 'utf8');
    const files = readdirSync('docs').filter(
      (file) => file.endsWith('.md') && file !== 'README.md',
    );
    expect(files.filter((file) => !index.includes(`](${file})`))).toEqual([]);
  });

  it.each(['build-a-portal', 'connect-an-engine', 'provision-people', 'operate'])(
    'leads through the job of %s in ten minutes of reading',
    (name) => {
      const words = readFileSync(`docs/${name}.md`, 'utf8').split(/\s+/).length;
      expect(words).toBeLessThanOrEqual(1_500);
    },
  );

  it('has an index of all decisions', () => {
    const index = readFileSync('docs/decisions/README.md', 'utf8');
    const files = readdirSync('docs/decisions').filter((file) => /^\d/.test(file));
    expect(files.filter((file) => !index.includes(`](${file})`))).toEqual([]);
  });

  it('has no line longer than 300 characters outside of tables', () => {
    const long = pages.flatMap(({ file, text }) =>
      text.split('\n').flatMap((line, at) => {
        const isLong = line.length > 300 && !line.startsWith('|');
        return isLong ? [`${file}:${at + 1}`] : [];
      }),
    );
    expect(long).toEqual([]);
  });
});
