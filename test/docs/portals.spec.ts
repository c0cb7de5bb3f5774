import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { DEMO_PASSWORD, startTestServer, type TestServer } from '../support/test-server.js';

/** The two portals of docs/build-a-portal.md. */

let server: TestServer;
let admin: string;
let inServerCode: ChildProcess;
let inBrowser: Server;
const addresses = { 'server code': '', 'the browser': '' };
beforeAll(async () => {
  const [port, staticPort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${staticPort}`;
  server = await startTestServer({ CORS_ORIGINS: origin });
  admin = await server.signIn('alice.martin');
  const PLATFORM_URL = `http://127.0.0.1:${server.port}`;
  inServerCode = spawn(process.execPath, ['docs/examples/portal/server.js'], {
    env: { PATH: process.env.PATH, PLATFORM_URL, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(inServerCode.stdout!, 'data');
  const page = readFileSync('docs/examples/portal/browser.html');
  inBrowser = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end(page),
  );
  await new Promise<void>((done) => inBrowser.listen(staticPort, '127.0.0.1', done));
  addresses['server code'] = `http://127.0.0.1:${port}/`;
  addresses['the browser'] = `${origin}/browser.html?platform=${encodeURIComponent(PLATFORM_URL)}`;
});
afterAll(async () => {
  inServerCode.kill('SIGKILL');
  inBrowser.closeAllConnections();
  inBrowser.close();
  await server.close();
});

/** Puts a task in that waits for Bruno before all others. */
async function wait(title: string): Promise<string> {
  const { body } = await server.call('/api/v2/process/tasks', {
    method: 'POST',
    token: admin,
    body: {
      title,
      application: 'EXPENSES',
      assignee: 'bruno.keller',
      dueDate: '2020-01-01T00:00:00Z',
      outcomes: [{ name: 'approve', label: 'Approve' }],
    },
  });
  return (body as { id: string }).id;
}

const stateOf = async (id: string): Promise<unknown> => {
  const { body } = await server.call(`/api/v2/process/tasks/${id}`, { token: admin });
  const { status, outcome } = body as Record<string, unknown>;
  return { status, outcome };
};

describeInBrowser('The portal of the guide', (visits) => {
  it.each(['server code', 'the browser'] as const)(
    'in %s shows tiles with live counters, and people decide tasks there',
    async (kind) => {
      const { page, problems } = await visits.open(addresses[kind]);
      const signIn = async (password: string) => {
        await page.locator('input').first().fill('bruno.keller');
        await page.locator('input[type=password]').fill(password);
        await page.getByRole('button', { name: 'Sign in' }).click();
      };
      await signIn('wrong');
      await page.getByText('Bad or invalid authentication').waitFor();
      expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
      await signIn(DEMO_PASSWORD);

      const tile = page.getByRole('listitem').filter({ hasText: 'Expense claims' }).first();
      const waiting = page.locator('[data-count="waiting"]');
      const counts = async () =>
        [await waiting.textContent(), await tile.locator('b').textContent()].map(Number);
      await waiting.filter({ hasText: /^\d+$/ }).waitFor();
      const [all = 0, claims = 0] = await counts();
      expect(claims).toBeGreaterThan(0);

      const title = `Claim in ${kind}`;
      const id = await wait(title);
      await eventually(async () => expect(await counts()).toEqual([all + 1, claims + 1]));

      if (kind === 'server code') await page.reload();
      const role = kind === 'server code' ? 'link' : 'button';
      await page.getByRole(role, { name: title }).click();
      await page.getByRole('button', { name: 'Approve' }).click();
      await eventually(async () =>
        expect(await stateOf(id)).toEqual({ status: 'done', outcome: 'approve' }),
      );
      await eventually(async () => expect(await counts()).toEqual([all, claims]));
    },
  );
});
