import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  PHONE,
  settled,
  signInAt,
  takePicture,
} from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { idOf } from '../../support/id-of.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';
import { DEMO_PASSWORD } from '../../support/test-server.js';

/** One session for all tabs of a browser. */

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
});
afterAll(() => site.close());

describeInBrowser('The tabs of one browser', (visits) => {
  /** The first tab of a browser with a session. */
  async function signedIn(login: string, path = '') {
    const visit = await visits.open(site.address(path));
    await signInAt(visit.page, login);
    await settled(visit.page);
    return { ...visit, context: visit.page.context() };
  }
  async function openTab(context: BrowserContext, path = ''): Promise<Page> {
    const page = await context.newPage();
    await page.goto(path.startsWith('http') ? path : site.address(path));
    return page;
  }
  /** Ends every token, as an hour does. */
  const expireTokens = () =>
    site.server.database.query('DELETE FROM tokens WHERE browser_session_id IS NOT NULL');
  const expectToAskForPassword = (page: Page) =>
    page.locator('input[name=password]').waitFor({ state: 'visible' });

  it('are signed in from their first moment, on every page', async () => {
    const { context, problems } = await signedIn('alice.martin');
    const address = `/users/${await idOf(site.server, 'users', 'chloe.lefevre')}`;
    await heading(await openTab(context, address), 'Chloé Lefèvre').waitFor();
    const console = await openTab(context, `http://127.0.0.1:${site.server.port}/console/groups`);
    await heading(console, 'Groups').waitFor();
    expect(problems).toEqual([]);
  });

  it('keep the cookie from scripts and from every other route', async () => {
    const { page, context } = await signedIn('bruno.keller');
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      name: 'session',
      path: '/api/v2/authentication/renewal',
      httpOnly: true,
      sameSite: 'Strict',
    });
    expect(await page.evaluate('document.cookie')).toBe('');
    const sent: [path: string, cookie: string | undefined][] = [];
    context.on('request', (request) => {
      request.allHeaders().then(
        (headers) => sent.push([new URL(request.url()).pathname, headers.cookie]),
        // The page was closed before its last request was sent.
        () => undefined,
      );
    });
    await heading(await openTab(context), 'Hello, Bruno').waitFor();
    await eventually(async () => {
      await Promise.resolve();
      const paths = sent.filter(([, value]) => value !== undefined).map(([path]) => path);
      expect(paths).toEqual(['/api/v2/authentication/renewal']);
    });
  });

  it('stay signed in when their tokens expire, and lose nothing', async () => {
    const { page, problems } = await signedIn('chloe.lefevre', '/profile');
    const field = page.getByLabel('Surnom');
    await field.fill('Typed before');
    await expireTokens();
    await field.press('Enter');
    await eventually(async () => {
      const id = await idOf(site.server, 'users', 'chloe.lefevre');
      const { nickName } = await site.read(`/api/v2/directory/users/${id}`);
      expect(nickName).toBe('Typed before');
    });
    expect(await page.locator('input[name=login][autocomplete=username]:visible').count()).toBe(0);
    // The browser itself logs the answer to the expired token.
    expect(problems.filter((text) => !/status of 401/.test(text))).toEqual([]);
  });

  it('are one line in the list of sessions, with browser and device, which ends them together', async () => {
    const { page, context } = await signedIn('bruno.keller', '/profile');
    const other = await openTab(context, '/profile');
    const phone = await visits.open(site.address('/profile'), { ...PHONE, userAgent: IPHONE });
    await signInAt(phone.page, 'bruno.keller');
    await settled(phone.page);
    await expectToFit(phone.page);
    await expectAccessible(phone.page);
    await takePicture(phone.page, 'sessions-phone');
    await page.reload();
    const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
    const lines = (text: string) => sessions.filter({ hasText: text });
    await lines('Chrome on Linux').first().waitFor();
    await page.getByRole('region', { name: 'Sessions' }).scrollIntoViewIfNeeded();
    await takePicture(page, 'sessions');
    expect(await lines('This session').count()).toBe(1);
    expect(await lines('This session').textContent()).toContain('Chrome on Linux');
    expect(await lines('Safari on iPhone').count()).toBe(1);
    await lines('Safari on iPhone')
      .getByRole('button', { name: /^End the session/ })
      .click();
    await lines('Safari on iPhone').waitFor({ state: 'detached' });
    await phone.page.reload();
    await expectToAskForPassword(phone.page);
    await lines('This session')
      .getByRole('button', { name: /^End the session/ })
      .click();
    await expectToAskForPassword(page);
    await other.reload();
    await expectToAskForPassword(other);
  });

  it('may renew their tokens at the same time', async () => {
    const { page, context } = await signedIn('bruno.keller');
    const tabs = [page, await openTab(context), await openTab(context)];
    for (const tab of tabs) await heading(tab, 'Hello, Bruno').waitFor();
    await expireTokens();
    await Promise.all(tabs.map((tab) => tab.reload()));
    for (const tab of tabs) await heading(tab, 'Hello, Bruno').waitFor();
  });

  it('sign out together, also for tabs opened later', async () => {
    const { page, context } = await signedIn('bruno.keller');
    const other = await openTab(context);
    await heading(other, 'Hello, Bruno').waitFor();
    await page.getByLabel('Account').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expectToAskForPassword(page);
    await expectToAskForPassword(other);
    expect(await other.evaluate(`sessionStorage.getItem('token')`)).toBeNull();
    // A change of the storage reaches another tab later than the message.
    await eventually(async () =>
      expect(await other.evaluate(`localStorage.getItem('session')`)).toBeNull(),
    );
    expect(await context.cookies()).toEqual([]);
    await expectToAskForPassword(await openTab(context));
  });

  it('resume together after one of them has signed in again', async () => {
    const { page, context } = await signedIn('bruno.keller', '/profile');
    const other = await openTab(context, '/profile');
    await other.getByLabel('Nickname').fill('Typed before');
    await site.server.database.query('DELETE FROM browser_sessions');
    for (const tab of [page, other]) {
      await tab.getByLabel('Nickname').press('Enter');
      await expectToAskForPassword(tab);
    }
    await signInAt(page, 'bruno.keller');
    await other.getByLabel('Nickname').waitFor();
    expect(await other.getByLabel('Nickname').inputValue()).toBe('Typed before');
  });

  it.each(['', ', also after a further sign-in'])(
    'never resume with the session of another person%s',
    async (isAgain) => {
      const { page } = await signedIn('bruno.keller', '/profile');
      if (isAgain) {
        await site.server.database.query('DELETE FROM browser_sessions');
        await page.getByLabel('Nickname').press('Enter');
        await expectToAskForPassword(page);
        await signInAt(page, 'bruno.keller');
        await page.getByLabel('Nickname').waitFor();
      }
      const body = JSON.stringify({ login: 'alice.martin', password: DEMO_PASSWORD });
      await page.evaluate(`fetch('/api/v2/authentication', { method: 'POST', body: ${JSON.stringify(body)},
      headers: { 'Content-Type': 'application/json', Prefer: 'renewal' } }).then((answer) => answer.text())`);
      await site.server.database.query(
        `DELETE FROM tokens WHERE user_id = (SELECT id FROM users WHERE login = 'bruno.keller')`,
      );
      // What the page does with a new network makes it renew its token, unless it has done so already.
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await expectToAskForPassword(page);
      await page
        .locator('.sign-in')
        .getByRole('alert')
        .getByText('Your session has ended.')
        .waitFor();
      expect(await page.evaluate(`sessionStorage.getItem('token')`)).toBeNull();
    },
  );

  it('sign out without a network, also one that the browser had put aside', async () => {
    const { page, context } = await signedIn('bruno.keller');
    const aside = await openTab(context);
    await heading(aside, /^Hello/).waitFor();
    await aside.goto('about:blank');
    await context.setOffline(true);
    await page.getByLabel('Account').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expectToAskForPassword(page);
    await context.setOffline(false);
    await aside.goBack();
    await expectToAskForPassword(aside);
    const [left] = await site.server.database.query<{ count: string }>(
      `SELECT count(*) FROM tokens t JOIN users u ON u.id = t.user_id WHERE u.login = 'bruno.keller' AND t.browser_session_id IS NOT NULL`,
    );
    expect(Number(left!.count)).toBe(0);
  });

  it('sign out without a network, which the server learns from the next visit', async () => {
    const { page, context } = await signedIn('bruno.keller');
    await context.setOffline(true);
    await page.getByLabel('Account').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expectToAskForPassword(page);
    await context.setOffline(false);
    await expectToAskForPassword(await openTab(context));
    expect(
      await site.server.database
        .query(`SELECT 1 FROM browser_sessions b JOIN users u ON u.id = b.user_id
      WHERE u.login = 'bruno.keller' AND b.creation_date > now() - interval '1 minute'
        AND b.id = (SELECT max(id) FROM browser_sessions)`),
    ).toEqual([]);
    expect(await context.cookies()).toEqual([]);
  });
});
