import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  isFocused,
  PHONE,
} from '../../support/browser.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

/** Files on the page of a task (docs/workplace.md). */

let site: TestWorkplace;
let id: string;
beforeAll(async () => {
  site = await startTestWorkplace();
  const task = { title: 'Sign the lease', application: 'EXPENSES', assignee: 'bruno.keller' };
  ({ id } = (await site.write('POST', '/api/v2/process/tasks', task)) as { id: string });
});
afterAll(() => site.close());

const file = (name: string, text: string) => ({
  name,
  mimeType: 'text/html',
  buffer: Buffer.from(text),
});

describeInBrowser('Files of a task', (visits) => {
  it('are added, downloaded and deleted, and are in the history', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', `/tasks/${id}`);
    const files = page.getByRole('region', { name: 'Files' });
    await files
      .locator('input[type=file]')
      .setInputFiles([file('lease.html', '<script>alert(1)</script>'), file('Ä.txt', 'a')]);
    await files.getByText('lease.html', { exact: true }).waitFor();
    await files.getByText('Ä.txt', { exact: true }).waitFor();
    await files.getByText('25 B', { exact: false }).waitFor();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('File added: Ä.txt').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      files.getByRole('button', { name: 'Download “lease.html”' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('lease.html');
    expect(readFileSync(await download.path(), 'utf8')).toBe('<script>alert(1)</script>');
    await expectAccessible(page);
    await files.getByRole('button', { name: 'Delete “lease.html”' }).click();
    await history.getByText('File deleted: lease.html').waitFor();
    expect(await files.getByRole('heading').evaluate(isFocused)).toBe(true);
    await page.setViewportSize(PHONE);
    await expectToFit(page);
    const hint = (where: typeof page) => where.getByText('or drop them here');
    expect(await hint(page).isVisible()).toBe(true);
    const phone = { viewport: PHONE, isMobile: true, hasTouch: true };
    const touched = await site.open(visits, 'bruno.keller', `/tasks/${id}`, phone);
    await touched.page.locator('.add-file').waitFor();
    expect(await hint(touched.page).isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it('are sent one after another, and those that fail are named', async () => {
    const task = { title: 'Many files', application: 'EXPENSES', assignee: 'bruno.keller' };
    const many = (await site.write('POST', '/api/v2/process/tasks', task)) as { id: string };
    const { page } = await site.open(visits, 'bruno.keller', `/tasks/${many.id}`);
    let open = 0;
    let most = 0;
    await page.route('**/files?name=*', async (route) => {
      most = Math.max(most, ++open);
      const isBad = route.request().url().includes('bad');
      const answer = isBad
        ? { status: 409, json: { code: 409, message: 'No room' } }
        : { response: await route.fetch() };
      open--;
      await route.fulfill(answer);
    });
    const files = page.getByRole('region', { name: 'Files' });
    const names = ['1.txt', '2.txt', 'bad.txt', '3.txt', '4.txt', 'bad too.txt', '5.txt'];
    await files.locator('input[type=file]').setInputFiles(names.map((name) => file(name, 'a')));
    for (const name of names.filter((one) => !one.startsWith('bad')))
      await files.locator('li', { hasText: name }).waitFor();
    await files.locator('progress').first().waitFor({ state: 'detached' });
    const said = await files.getByRole('alert').innerText();
    expect(said).toMatch(/^\s*bad\.txt No room\s+bad too\.txt No room\s*$/);
    expect(most).toBe(1);
  });

  it('are added by dropping them, and say in the language of the page why one is refused', async () => {
    await site.server.database.query(
      `INSERT INTO parameters (key, value) VALUES ('tasks.files.count', '2')`,
    );
    const { page } = await site.open(visits, 'bruno.keller', `/tasks/${id}`, { locale: 'de-DE' });
    const files = page.locator('section', { has: page.locator('input[type=file]') });
    const drop = async (name: string) => {
      const transfer = await page.evaluateHandle(`(() => {
        const data = new DataTransfer();
        data.items.add(new File(['dropped'], '${name}'));
        return data;
      })()`);
      await files.dispatchEvent('drop', { dataTransfer: transfer });
    };
    await drop('dropped.txt');
    await files.getByText('dropped.txt', { exact: true }).waitFor();
    await drop('one-too-many.txt');
    await files
      .getByRole('alert')
      .getByText(/2 (files|Dateien)/)
      .waitFor();
  });
});
