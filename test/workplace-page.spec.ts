import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible, signInAt } from './support/browser.js';
import { startTestServer, type TestServer } from './support/test-server.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const address = (path = ''): string => `http://127.0.0.1:${server.port}/workplace${path}`;

describeInBrowser('/workplace', (visits) => {
  it('asks to sign in, and shows the tiles of who does', async () => {
    const { page, problems } = await visits.open(address());
    await expectAccessible(page);
    await signInAt(page, 'bruno.keller');
    await page.getByRole('heading', { level: 1, name: 'Hello, Buno' }).waitFor();
    await page
      .getByRole('link', { name: /Expense/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
});
