import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
import { eventually, PATIENCE } from './eventually.js';
import { EVENTS } from './event-stream.js';
import { DEMO_PASSWORD, type TestServer } from './test-server.js';

/**
 * What the browser does without. It would load two pages of its own for the address bar beside each context, which
 * costs a third of its processor time. Only the last `--disable-features` counts, so the list repeats Playwright's.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/**
 * Flags for a browser without display and without network access of its own. It resolves no name but `localhost` and the
 * hosts of `portal.test`: the test provider's pages import a font from the Internet, and are not drawn until its lookup
 * has failed.
 */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP *.portal.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

/** Debian's browsers; the one without windows takes two thirds of the other's time for the same tests. */
const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The path of Chromium: `CHROMIUM`, else Debian's. */
const CHROMIUM = process.env.CHROMIUM || (DEBIAN.find((path) => existsSync(path)) ?? DEBIAN[0]!);

/** The folder for screenshots; without it none are taken, so that a test run changes no file. */
const SCREENSHOTS = process.env.SCREENSHOTS;

/** The window of a phone. */
export const PHONE = { width: 390, height: 844 };

/** The visit of one person at one screen. */
export interface Visit {
  page: Page;
  /** Errors on the browser's console, and uncaught exceptions. */
  problems: string[];
}

export interface VisitOptions extends BrowserContextOptions {
  width?: number;
  height?: number;
  /** The session with which the tab starts; a reload keeps it. */
  token?: string;
  /** Whether the visit stays open for the following tests; otherwise it ends with its test. */
  isKept?: boolean;
}

/** Opens visits in one browser per test file; each visit has its own cookies and storage. */
export interface Visits {
  open(address: string, options?: VisitOptions): Promise<Visit>;
}

/** `describe` with a browser, or a conspicuous skip without Chromium. */
export function describeInBrowser(name: string, tests: (visits: Visits) => void): void {
  if (!existsSync(CHROMIUM)) {
    const notice = `NO CHROMIUM: "${name}" IS SKIPPED (install Debian's chromium-headless-shell, or name one in CHROMIUM)`;
    console.warn(`\n${'!'.repeat(notice.length)}\n${notice}\n${'!'.repeat(notice.length)}`);
    describe.skip(name, () => tests(visitsOf(launch)));
    return;
  }
  let browser: Browser | undefined;
  // Chromium has been seen to end by itself on a busy machine.
  const connected = async (): Promise<Browser> => {
    if (browser?.isConnected()) return browser;
    if (browser) console.warn('Chromium has ended by itself: another one takes its place');
    return (browser = await launch());
  };
  describe(name, () => {
    beforeAll(connected);
    afterAll(() => browser?.close());
    const toClose: BrowserContext[] = [];
    // An open page keeps requesting counters.
    afterEach(() => Promise.all(toClose.splice(0).map((context) => context.close())));
    tests(visitsOf(connected, toClose));
  });
}

const launch = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

function visitsOf(connected: () => Promise<Browser>, toClose: BrowserContext[] = []): Visits {
  return {
    open: async (address, { width = 1440, height = 900, token, isKept, ...options } = {}) => {
      const shown: BrowserContextOptions = {
        locale: 'en-GB',
        colorScheme: 'light',
        reducedMotion: 'reduce',
        viewport: { width, height },
        ...options,
      };
      const browser = await connected();
      const context = await browser.newContext(shown).catch(async (error: unknown) => {
        if (browser.isConnected()) throw error;
        return (await connected()).newContext(shown);
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

/** Counts the pending requests of a page. */
const underWay = new WeakMap<Page, Set<Request>>();

function countRequests(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on('request', (request) => {
    // A stream of counters never ends.
    const isStream = request.url().endsWith(EVENTS);
    if (request.url().startsWith('http') && !isStream) requests.add(request);
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** The first heading of a page. */
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });

/** Presses one key after another. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Whether an element has the focus; for `evaluate` of its locator. */
export const isFocused = (one: { ownerDocument: { activeElement: unknown } }): boolean =>
  one.ownerDocument.activeElement === one;

/** Submits the form of a field, even where the field is hidden by now; for `evaluate` of its locator. */
export const submitForm = (one: { form: { requestSubmit(): void } }): void =>
  one.form.requestSubmit();

/** Waits until no request is pending, no element says that it is loading, and the page is drawn. */
export const settled = (page: Page): Promise<void> =>
  eventually(async () => {
    const isQuiet = async () => {
      expect(await page.locator('.skeleton, [role=progressbar]').count()).toBe(0);
      expect([...underWay.get(page)!].map((request) => request.url())).toEqual([]);
    };
    await isQuiet();
    // Newly drawn content may send further requests.
    await drawn(page);
    await isQuiet();
  });

/** Waits until changes are on the screen: the second frame begins after the first was shown. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/** Most presses of the Tab key before an element counts as unreachable. */
const MOST_STOPS = 200;

/** Moves the focus to an element by pressing Tab. @throws when Tab never reaches it */
export async function tabTo(page: Page, place: Locator): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press('Tab');
    if (await place.first().evaluate(isFocused)) return;
  }
  throw new Error(`Tab does not lead to ${String(place)}`);
}

/** Counts all further key presses on a page, so that a test can assert that there are none. */
export async function withoutKeyboard(page: Page): Promise<{ keys: () => Promise<number> }> {
  await page.addInitScript(KEY_COUNT);
  await page.evaluate(KEY_COUNT);
  return { keys: () => page.evaluate<number>('window.keys') };
}

const KEY_COUNT = `window.keys = 0; addEventListener('keydown', () => { window.keys += 1; }, true);`;

/** Asserts that no element is outside the window or cut off at its edge, except in scrollable containers. */
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

/** Fills in the sign-in form and waits until it disappears, or asks for a second step. @throws when the server rejects the sign-in */
export async function signInAt(
  page: Page,
  login: string,
  password: string = DEMO_PASSWORD,
): Promise<void> {
  // The page behind it may have forms of its own.
  const form = page.locator('form', { has: page.locator('input[name=password]') });
  await form.locator('input[name=login]').fill(login);
  await form.locator('input[name=password]').fill(password);
  const [answer] = await Promise.all([
    page.waitForResponse(
      (one) => one.request().method() === 'POST' && one.url().endsWith('/authentication'),
    ),
    form.locator('button:not([type=button])').click(),
  ]);
  if (answer.status() === 401 && /second-step-required/.test(await answer.text())) return;
  if (!answer.ok()) throw new Error(`${login} cannot sign in: ${answer.status()}`);
  await page.locator('input[name=password]').waitFor({ state: 'detached' });
}

/** Signs the person of a page out behind its back, as another tab of theirs could: the next call tells the page. */
export async function endSession(page: Page, server: TestServer): Promise<void> {
  // The end of the stream of counters would tell it some seconds later.
  await page.route(/\/navigation\/workplace\/events$/, () => undefined);
  const token = await page.evaluate<string>(`sessionStorage.getItem('token')`);
  const answer = await server.call('/api/v2/authentication', { method: 'DELETE', token });
  if (answer.status >= 300) throw new Error(`The session does not end: ${answer.text}`);
}

/**
 * Asserts that axe reports no finding (WCAG 2.1 A and AA), or none of one rule. It retries
 * for a while: elements in transition may still have their previous colours.
 */
export const expectAccessible = (page: Page, rule?: string): Promise<void> =>
  eventually(async () => expect(await findingsOf(page, rule)).toEqual([]));

async function findingsOf(page: Page, rule?: string): Promise<object[]> {
  // The pages have no frames, so axe needs no separate page to merge findings.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (
    rule === undefined
      ? axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
      : axe.withRules(rule)
  ).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })),
  );
}

/** How soon a page was drawn, by Lighthouse's metrics. */
export const speedOf = (page: Page): Promise<Record<string, number>> =>
  page.evaluate(`new Promise((resolve) => {
    const tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true });
    // The observer delivers buffered entries immediately, before the next idle moment.
    requestIdleCallback(() => {
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      const blocking = tasks.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0);
      resolve({ 'first contentful paint (ms)': Math.round(paint.startTime), 'total blocking time (ms)': Math.round(blocking) });
    });
  })`);

/** Takes a screenshot of the window if the environment names a folder in `SCREENSHOTS`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined || SCREENSHOTS === '') return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await drawn(page);
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}
