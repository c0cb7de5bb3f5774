import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { contrastOf } from '../../src/security/parameters/contrast.js';
import {
  DARK_BACKGROUND,
  LIGHT_BACKGROUND,
  PARAMETERS,
  validateParameter,
} from '../../src/security/parameters/parameter-definitions.js';
import {
  describeInBrowser,
  expectAccessible,
  heading,
  settled,
  takePicture,
} from '../support/browser.js';
import { idOf } from '../support/id-of.js';
import { type Mailbox, mailSettings, startMailbox } from '../support/mailbox.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const KEY = '/api/v2/administration/parameters/com.platform.display';
const NAME = 'Helvion & <Sons>';
const GREEN = '#0b6b3a';
const LIGHT_GREEN = '#6fd89b';
/** Of the accepted accents it has the least contrast to its own pale backgrounds. */
const PALEST = '#df0606';

let mailbox: Mailbox;
let server: TestServer;
let origin: string;
let sysadmin: string;
let logo: Buffer;
beforeAll(async () => {
  mailbox = await startMailbox();
  const settings = await mailSettings(mailbox);
  origin = settings.PUBLIC_URL;
  server = await startTestServer(settings);
  sysadmin = await server.signIn('sysadmin');
  const background = GREEN;
  logo = await sharp({ create: { width: 96, height: 32, channels: 3, background } })
    .png()
    .toBuffer();
});
afterAll(async () => {
  await server.close();
  await mailbox.close();
});

const set = (name: string, value: string) =>
  server.call(`${KEY}.${name}`, { method: 'PUT', token: sysadmin, body: { value } });
const urlOf = (content: Buffer | string, type = 'png'): string =>
  `data:image/${type};base64,${Buffer.from(content).toString('base64')}`;
const faultOf = async (name: string, value: string): Promise<string> => {
  const { status, body } = await set(name, value);
  return `${status} ${(body.fields as { message: string }[])[0]!.message}`;
};

describe('the accent colour', () => {
  it('has a contrast as WCAG computes it', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrastOf('#ffffff', '#777777')).toBeCloseTo(4.48, 2);
    expect(contrastOf('#ff0000', '#00ff00')).toBeCloseTo(2.91, 2);
  });

  it('is checked against the backgrounds of the style sheet, where the usual one passes', async () => {
    const css = readFileSync('web/theme/theme.css', 'utf8');
    expect(css).toContain(`--hover: light-dark(${LIGHT_BACKGROUND}, ${DARK_BACKGROUND});`);
    const [, light] = /--accent-light: (#\w+);/.exec(css)!;
    const [, dark] = /--accent-dark: (#\w+);/.exec(css)!;
    expect(await validateParameter(PARAMETERS.accentLight, light!)).toBeUndefined();
    expect(await validateParameter(PARAMETERS.accentDark, dark!)).toBeUndefined();
  });

  it.each([
    ['accent.light', '#ffd400', '400 has a contrast of 1.27:1 to the background #f0f2f7'],
    ['accent.light', '#7a7a7a', '400 has a contrast of 3.83:1 to the background #f0f2f7'],
    ['accent.dark', GREEN, '400 has a contrast of 2.2:1 to the background #242934'],
  ])('is refused as %s %s with its ratio', async (name, value, fault) => {
    const text = 'text needs at least 4.5:1 (WCAG 2.2 AA)';
    expect(await faultOf(name, value)).toBe(`${fault}; ${text}`);
  });

  it.each(['red', '#fff', '#3350c4;', 'url(x)'])('is refused as %j', async (value) => {
    expect(await faultOf('accent.light', value)).toBe('400 must be a colour such as #3350c4');
  });
});

describe('the name', () => {
  it.each(['a\nb', 'x'.repeat(61)])('is refused as %j', async (value) => {
    expect(await faultOf('name', value)).toBe('400 must be at most 60 visible characters');
  });
});

describe('the logo', () => {
  const noPicture = '400 must be a data URL of a PNG, JPEG or WebP picture';
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

  it.each([
    ['an SVG picture', urlOf(svg, 'svg+xml')],
    ['an SVG picture that is called PNG', urlOf(svg)],
    ['an address', 'https://other.example/logo.png'],
    ['HTML', 'data:text/html;base64,PGI+'],
  ])('is refused as %s', async (_, value) => {
    expect(await faultOf('logo', value)).toBe(noPicture);
  });

  it.each([
    ['the first bytes of a picture alone', () => logo.subarray(0, 12)],
    ['a picture that ends early', () => logo.subarray(0, logo.length - 40)],
    [
      'the signature of a PNG before other bytes',
      () => Buffer.concat([logo.subarray(0, 8), Buffer.from(svg)]),
    ],
  ])('is refused as %s', async (_, content) => {
    expect(await faultOf('logo', urlOf(content()))).toBe('400 not a picture that can be decoded');
  });

  it('is refused beyond four million pixels', async () => {
    const large = await sharp({
      create: { width: 2001, height: 2000, channels: 3, background: GREEN },
    })
      .png()
      .toBuffer();
    expect(await faultOf('logo', urlOf(large))).toBe(
      '400 2001 x 2000 pixels; at most 4000000 are allowed',
    );
  });

  it('is refused beyond 64 KiB', async () => {
    const large = Buffer.concat([logo, Buffer.alloc(65_537 - logo.length)]);
    expect(await faultOf('logo', urlOf(large))).toBe(
      '400 is a picture of 65537 bytes; at most 65536 are allowed',
    );
  });
});

describe('the branding', () => {
  beforeAll(async () => {
    for (const [name, value] of [
      ['name', NAME],
      ['accent.light', GREEN],
      ['accent.dark', LIGHT_GREEN],
      ['logo', urlOf(logo, 'webp')],
    ])
      expect((await set(name!, value!)).status).toBe(200);
  });

  it('is in both pages without a token, escaped, and the logo has the type of its content', async () => {
    for (const page of ['/workplace', '/console']) {
      const { status, text } = await server.call(page);
      expect(status).toBe(200);
      expect(text).toContain('<title>Helvion &#38; &#60;Sons&#62;</title>');
      expect(text).toContain(`data-accent-light="${GREEN}"`);
      expect(text).toContain(`data-accent-dark="${LIGHT_GREEN}"`);
      const [, address = ''] = /data-logo="([^"]+)"/.exec(text)!;
      expect(address).toMatch(/^\/assets\/logo-[0-9a-f]{16}\.png$/);
      const answer = await fetch(origin + address);
      expect(Buffer.from(await answer.arrayBuffer()).equals(logo)).toBe(true);
      expect(answer.headers.get('content-type')).toBe('image/png');
      expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect((await server.call('/assets/logo-0000000000000000.png')).status).toBe(404);
  });

  it('is in mails: the name, the colour, and the logo without an address of another host', async () => {
    const admin = await server.signIn('alice.martin');
    const id = await idOf(server, 'users', 'dora.invited').catch(async () => {
      const body = { login: 'dora.invited', lastName: 'Dora', email: 'dora@portal.example' };
      const made = await server.call('/api/v2/directory/users', {
        method: 'POST',
        token: admin,
        body,
      });
      return made.body.id as string;
    });
    await server.call('/api/v2/directory/users/invitations', {
      method: 'POST',
      token: admin,
      body: { users: [id], delivery: 'mail' },
    });
    const { headers, plain, html } = await mailbox.next('dora@portal.example');
    expect(headers).toContain(`Subject: Your account at ${NAME}`);
    expect(plain).toContain(`You are invited to ${NAME}.`);
    expect(html).toContain(`background:${GREEN}`);
    expect(html).toContain('<img src="cid:logo" alt="Helvion &#38; &#60;Sons&#62;"');
    expect(html).toContain('Content-ID: <logo>');
  });

  it('leaves no picture in the audit trail', async () => {
    const [line] = await server.database.query(
      `SELECT after::text FROM audit WHERE object_uri LIKE '%display.logo' ORDER BY id DESC LIMIT 1`,
    );
    expect(line!.after).toMatch(/^\{"value": "picture, SHA-256 [0-9a-f]{64}"\}$/);
  });

  describeInBrowser('in a browser', (visits) => {
    it.each(['light', 'dark'] as const)('is on the sign-in page, %s', async (colorScheme) => {
      const { page, problems } = await visits.open(`${origin}/workplace`, { colorScheme });
      await heading(page, 'Sign in').waitFor();
      expect(await page.title()).toBe(`Sign in · ${NAME}`);
      await settled(page);
      expect(await page.evaluate(`document.querySelector('img.brand-mark').naturalWidth`)).toBe(96);
      const color = `getComputedStyle(document.querySelector('.button.primary')).backgroundColor`;
      expect(await page.evaluate(color)).toBe('rgb(11, 107, 58)');
      await takePicture(page, `branding-sign-in-${colorScheme}`);
      await expectAccessible(page);
      expect(problems).toEqual([]);
    });

    it.each(['light', 'dark'] as const)('is on the home page, %s', async (colorScheme) => {
      const token = await server.signIn('bruno.keller');
      const { page, problems } = await visits.open(`${origin}/workplace`, { colorScheme, token });
      await page.locator('.tile').first().waitFor();
      await settled(page);
      expect(await page.title()).toContain(NAME);
      await page.getByRole('link', { name: NAME }).waitFor();
      await takePicture(page, `branding-home-${colorScheme}`);
      await expectAccessible(page);
      expect(problems).toEqual([]);
    });

    it('leaves text readable in the palest accent that is accepted', async () => {
      expect((await set('accent.light', PALEST)).status).toBe(200);
      const token = await server.signIn('bruno.keller');
      const { page } = await visits.open(`${origin}/workplace/people`, { token });
      const chosen = page.locator('.branch-name').first();
      await chosen.click();
      await page.locator('.branch-name[aria-pressed=true]').waitFor();
      await settled(page);
      await expectAccessible(page, 'color-contrast');
      expect((await set('accent.light', GREEN)).status).toBe(200);
    });

    it('is chosen in the console, which shows it too', async () => {
      const token = await server.signIn('sysadmin');
      const { page, problems } = await visits.open(`${origin}/console/parameters`, { token });
      await page.getByText(NAME).first().waitFor();
      await page.getByRole('button', { name: 'Change display.accent.light' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Value').fill('#ffd400');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText(/1\.27:1/).waitFor();
      await takePicture(page, 'branding-console-color');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Change display.logo' }).click();
      const webp = await sharp(logo).resize(48).webp().toBuffer();
      const file = { name: 'logo.webp', mimeType: 'image/webp', buffer: webp };
      await dialog.locator('input[type=file]').setInputFiles(file);
      await dialog.locator('img').waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      const { text } = await server.call('/workplace');
      expect(text).toMatch(/data-logo="\/assets\/logo-\w+\.webp"/);
      await page.locator('main img').waitFor();
      // Visits prefer reduced motion, which must not keep the theme from reading its colours.
      const colors = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.body))`;
      expect(await page.evaluate(colors)).toEqual(['rgb(23, 26, 33)', 'rgb(245, 246, 249)']);
      await takePicture(page, 'branding-console');
      await expectAccessible(page);
      expect(problems.filter((one) => !one.includes('400'))).toEqual([]);
    });
  });
});
