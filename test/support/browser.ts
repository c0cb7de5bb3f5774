import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, jest } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { eventually } from './eventually.js';
import { DEMO_PASSWORD } from './test-server.js';

/** Nothing that leaves the machine or waits for a screen. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Chromium of this machine: the one that `CHROMIUM` names, or where Debian has it. */
const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium';

/** Where pictures go; without it none are taken, so that a test run changes no file. */
const SCREENSHOTS = process.env.SCREENSHOTS;

/** Longest wait for something to appear, in milliseconds. */
const PATIENCE = 20_000;

/** Longest that a test with a browser may take on a busy machine, in milliseconds. */
const TEST_TIMEOUT = 120_000;

/** Of one person at one screen. */
export interface Visit {
  page: Page;
  /** What the browser's console says is wrong, and exceptions nobody caught. */
  problems: string[];
}

export interface VisitOptions extends BrowserContextOptions {
  width?: number;
  height?: number;
  /** A session that the tab has already; a reload keeps it. */
  token?: string;
}

/** Opens visits in one browser for a whole file; each has cookies and storage of its own. */
export interface Visits {
  open(address: string, options?: VisitOptions): Promise<Visit>;
}

/** `describe` with a browser, or a skip that cannot be overlooked where there is no Chromium. */
export function describeInBrowser(name: string, tests: (visits: Visits) => void): void {
  if (!existsSync(CHROMIUM)) {
    const notice = `NO CHROMIUM: "${name}" IS SKIPPED (install Debian's chromium, or name one in CHROMIUM)`;
    console.warn(`\n${'!'.repeat(notice.length)}\n${notice}\n${'!'.repeat(notice.length)}`);
    describe.skip(name, () => tests(visitsOf(() => undefined)));
    return;
  }
  let browser: Browser | undefined;
  jest.setTimeout(TEST_TIMEOUT);
  describe(name, () => {
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    });
    afterAll(() => browser?.close());
    tests(visitsOf(() => browser));
  });
}

function visitsOf(browser: () => Browser | undefined): Visits {
  return {
    open: async (address, { width = 1440, height = 900, token, ...options } = {}) => {
      const context = await browser()!.newContext({
        locale: 'en-GB',
        colorScheme: 'light',
        reducedMotion: 'reduce',
        viewport: { width, height },
        ...options,
      });
      context.setDefaultTimeout(PATIENCE);
      if (token !== undefined)
        await context.addInitScript(
          `if (!sessionStorage.getItem('visited')) {
             sessionStorage.setItem('visited', 'yes');
             sessionStorage.setItem('token', ${JSON.stringify(token)});
           }`,
        );
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(String(error)));
      await page.goto(address);
      return { page, problems };
    },
  };
}

/** Fills the sign-in form, and waits until it is gone. */
export async function signInAt(
  page: Page,
  login: string,
  password: string = DEMO_PASSWORD,
): Promise<void> {
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill(password);
  await page.locator('form button:not([type=button])').click();
  await page.locator('input[name=password]').waitFor({ state: 'detached' });
}

/**
 * No serious or critical finding of axe (WCAG 2.1 A and AA), or of one of its rules. Looked for again
 * for a while: what is just being drawn may have colours of before.
 */
export const expectAccessible = (page: Page, rule?: string): Promise<void> =>
  eventually(async () => expect(await findingsOf(page, rule)).toEqual([]), 10_000);

async function findingsOf(page: Page, rule?: string): Promise<object[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (
    rule === undefined
      ? axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
      : axe.withRules(rule)
  ).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })),
    );
}

/** A picture of the window, where the environment names a folder for it in `SCREENSHOTS`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined || SCREENSHOTS === '') return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}
