import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../../support/test-server.js';

/** Clients in strict TypeScript, generated from the server's own description, that cast nothing. */

const LOGIN = 'alice.martin';

/** The generators with their parameters: what the client of the same name in test/generated-clients imports. */
const GENERATORS: Record<string, [string, ...string[]]> = {
  'openapi-fetch': ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'platform.d.ts'],
  'hey-api': [
    ...(['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey-api'] as const),
    ...['--silent', '--no-log-file'],
  ],
};

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(tmpdir(), 'process-platform-clients-'));
  cpSync('test/generated-clients', folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const { text } = await server.call('/api/v2/openapi.json');
  writeFileSync(join(folder, 'openapi.json'), text);
  for (const [generator, ...parameters] of Object.values(GENERATORS))
    await run(join('node_modules', generator), ...parameters);
  await run('node_modules/typescript/bin/tsc', '-p', '.', '--outDir', 'built');
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

/** Runs a program of Node in the folder of the clients, and returns what it prints. */
async function run(program: string, ...parameters: string[]): Promise<string> {
  const all = [program, ...parameters];
  const { stdout } = await promisify(execFile)(process.execPath, all, { cwd: folder }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${all.join(' ')}: ${error.stdout}${error.stderr}`);
    },
  );
  return stdout;
}

describe('a generated client, compiled with strict types and without a cast', () => {
  it.each(Object.keys(GENERATORS))('reads users, tasks and people: %s', async (name) => {
    const url = `http://127.0.0.1:${server.port}`;
    const read = JSON.parse(await run(`built/${name}.js`, url, LOGIN, DEMO_PASSWORD)) as {
      [list: string]: string[];
    };
    const token = await server.signIn(LOGIN);
    const rows = async (path: string) => (await server.call(path, { token })).body;
    const users = await rows('/api/v2/directory/users?range=0-5&sorter=login');
    expect(read.names).toEqual(
      (users as { login: string; organization: { label: string } }[]).map(
        ({ login, organization }) => `${login} ${organization?.label}`,
      ),
    );
    const filters = 'filters=assignee:isnotempty&filters=status:eq:open';
    const tasks = await rows(`/api/v2/process/tasks?range=0-5&${filters}`);
    expect(read.assignees).toEqual(
      (tasks as { assignee: { reference: string } }[]).map(({ assignee }) => assignee.reference),
    );
    expect([read.names!.length, read.assignees!.length]).toEqual([5, 5]);
    expect(read.titles).toContain('Alice Martin');
  });
});
