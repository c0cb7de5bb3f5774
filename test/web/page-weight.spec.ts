import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { describeInBrowser, settled } from '../support/browser.js';
import { startTestConsole, type TestConsole } from '../support/console.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

/** The bytes that a page receives while it does something, heads included. */
async function received(page: Page, act: () => Promise<unknown>): Promise<number> {
  const finished: Request[] = [];
  const note = (request: Request): void => void finished.push(request);
  page.on('requestfinished', note);
  await act();
  page.off('requestfinished', note);
  const sizes = await Promise.all(finished.map((request) => request.sizes()));
  return sizes.reduce((sum, one) => sum + one.responseHeadersSize + one.responseBodySize, 0);
}

describeInBrowser('The console', (visits) => {
  it('takes at most 600 kB when it is opened first, and 80 kB when it is opened again', async () => {
    const { page } = await site.open(visits, '/users');
    const reload = async () => {
      await page.reload();
      await page.locator('tbody tr').first().waitFor();
      await settled(page);
    };
    const browser = await page.context().newCDPSession(page);
    await browser.send('Network.clearBrowserCache');
    const cold = await received(page, reload);
    const warm = await received(page, reload);
    process.stderr.write(`console: ${cold} bytes cold, ${warm} bytes warm\n`);
    expect(cold).toBeLessThanOrEqual(600_000);
    expect(warm).toBeLessThanOrEqual(80_000);
  });
});
