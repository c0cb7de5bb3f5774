import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, describe, expect, jest } from '@jest/globals';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
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
const PATIENCE = 60_000;

/** Longest that a test with a browser may take on a busy machine, in milliseconds. */
const TEST_TIMEOUT = 300_000;

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
  /** Stays open for the tests that follow, which go on in it; all others end with their test. */
  isKept?: boolean;
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
    const toClose: BrowserContext[] = [];
    // A page that is left open goes on asking for counters.
    afterEach(() => Promise.all(toClose.splice(0).map((context) => context.close())));
    tests(visitsOf(() => browser, toClose));
  });
}

function visitsOf(browser: () => Browser | undefined, toClose: BrowserContext[] = []): Visits {
  return {
    open: async (address, { width = 1440, height = 900, token, isKept, ...options } = {}) => {
      const context = await browser()!.newContext({
        locale: 'en-GB',
        colorScheme: 'light',
        reducedMotion: 'reduce',
        viewport: { width, height },
        ...options,
      });
      if (isKept !== true) toClose.push(context);
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
      countRequests(page);
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(String(error)));
      await page.goto(address);
      return { page, problems };
    },
  };
}

/** How many requests of a page have no answer yet. */
const underWay = new WeakMap<Page, Set<Request>>();

function countRequests(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on('request', (request) => {
    if (request.url().startsWith('http')) requests.add(request);
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** Waits until nothing is on its way any more, nothing says that it is loading, and all is drawn. */
export const settled = (page: Page): Promise<void> =>
  eventually(async () => {
    const isQuiet = async () => {
      expect(await page.locator('.skeleton, [role=progressbar]').count()).toBe(0);
      expect([...underWay.get(page)!].map((request) => request.url())).toEqual([]);
    };
    await isQuiet();
    // What has just arrived may ask for more once it is drawn.
    await drawn(page);
    await isQuiet();
  }, PATIENCE);

/** Waits until what has changed is on the screen: the second frame begins when the first was shown. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/** Most stops of the Tab key on a page before what is looked for counts as out of reach. */
const MOST_STOPS = 200;

/** Goes to something as the keyboard does, by Tab from where the focus is. @throws when Tab never gets there */
export async function tabTo(page: Page, place: Locator): Promise<void> {
  const isThere = (one: { ownerDocument: { activeElement: unknown } }) =>
    one.ownerDocument.activeElement === one;
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press('Tab');
    if (await place.first().evaluate(isThere)) return;
  }
  throw new Error(`Tab does not lead to ${String(place)}`);
}

/** From now on every key that is pressed fails the test that asks for `keys`. */
export async function withoutKeyboard(page: Page): Promise<{ keys: () => Promise<number> }> {
  await page.addInitScript(KEY_COUNT);
  await page.evaluate(KEY_COUNT);
  return { keys: () => page.evaluate<number>('window.keys') };
}

const KEY_COUNT = `window.keys = 0; addEventListener('keydown', () => { window.keys += 1; }, true);`;

/** Nothing is beside the window or cut off at its edge, but for what can be scrolled to by itself. */
export async function expectToFit(page: Page): Promise<void> {
  expect(
    await page.evaluate(`[...document.querySelectorAll('main, main *')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => {
        for (let up = one; up; up = up.parentElement)
          if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return false;
        return !one.closest('.unseen');
      })
      .map((one) => one.outerHTML.slice(0, 120))`),
  ).toEqual([]);
  expect(
    await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
  ).toBeLessThanOrEqual(0);
}

/** Fills the sign-in form, and waits until it is gone. */
export async function signInAt(
  page: Page,
  login: string,
  password: string = DEMO_PASSWORD,
): Promise<void> {
  // A page that waits behind it may have forms of its own.
  const form = page.locator('form', { has: page.locator('input[name=password]') });
  await form.locator('input[name=login]').fill(login);
  await form.locator('input[name=password]').fill(password);
  await form.locator('button:not([type=button])').click();
  await page.locator('input[name=password]').waitFor({ state: 'detached' });
}

/**
 * No serious or critical finding of axe (WCAG 2.1 A and AA), or of one of its rules. Looked for again
 * for a while: what is just being drawn may have colours of before.
 */
export const expectAccessible = (page: Page, rule?: string): Promise<void> =>
  eventually(async () => expect(await findingsOf(page, rule)).toEqual([]), PATIENCE);

async function findingsOf(page: Page, rule?: string): Promise<object[]> {
  // There are no frames to look into, so no page of its own is needed to put findings together.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
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

/** How soon a page was there, as Lighthouse counts it. */
export const speedOf = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(`new Promise((resolve) => {
    const tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });
    // What the observer is told of before is told at once; an idle moment is after it.
    requestIdleCallback(() => {
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      const blocking = tasks.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0);
      resolve({ 'first contentful paint (ms)': Math.round(paint.startTime), 'total blocking time (ms)': Math.round(blocking) });
    });
  })`);

/** A picture of the window as it is now, where `SCREENSHOTS` in the environment names a folder for it. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined || SCREENSHOTS === '') return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await drawn(page);
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}
