import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';
import { describeInBrowser, expectAccessible, heading, signInAt } from '../../support/browser.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

const STEP_MILLISECONDS = 30_000;

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace({ SECRETS_KEY: 'a-key-for-the-secrets-of-this-test' });
});
afterAll(() => site.close());

/** The code of an app; `ahead` counts time steps from now. */
const codeOf = (secret: string, ahead = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + ahead * STEP_MILLISECONDS,
  });

/** The text of the QR code on a page, as a phone reads it. */
async function scan(page: Page): Promise<string> {
  const picture = await page
    .getByRole('img', { name: 'QR code for the authenticator app' })
    .screenshot();
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data: new Uint8ClampedArray(data) });
}

/** Adds an app on the present page, with the codes that it shows. */
async function addApp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  const { searchParams } = new URL(await scan(page));
  const secret = searchParams.get('secret')!;
  await expectAccessible(page);
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('alert').getByText('wrong, or has been used').waitFor();
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Keep these recovery codes').waitFor();
  await expectAccessible(page);
  const codes = await page.locator('.codes code').allTextContents();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  return { secret, codes };
}

describeInBrowser('A second step', (visits) => {
  it('is added on the profile, and asked for at the next sign-in', async () => {
    const { page } = await site.open(visits, 'bruno.keller', '/profile');
    const { secret, codes } = await addApp(page);
    expect(codes).toHaveLength(10);
    const section = page.getByRole('region', { name: 'Second step at sign-in' });
    await section.getByText('Authenticator app').waitFor();

    const { page: other } = await visits.open(site.address());
    await signInAt(other, 'bruno.keller');
    const code = other.getByLabel(/^Code/);
    await code.waitFor();
    await expectAccessible(other);
    await code.fill('000000');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('alert').getByText('This code is wrong, or has been used.').waitFor();
    await code.fill(codeOf(secret, 1));
    await other.getByRole('button', { name: 'Sign in' }).click();
    await heading(other, 'Hello, Bruno').waitFor();

    await section.getByRole('button', { name: 'Remove the second step' }).click();
    await section.getByRole('button', { name: 'Set up an authenticator app' }).waitFor();
  });

  it('is added first where a server parameter demands it', async () => {
    await site.server.database.query(
      `INSERT INTO parameters (key, value) VALUES ('security.SecondStep.of', 'everybody')
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    );
    const { page } = await visits.open(site.address());
    await signInAt(page, 'bruno.keller');
    await heading(page, 'Add a second step').waitFor();
    const { codes } = await addApp(page);
    await heading(page, 'Hello, Bruno').waitFor();

    const console = site.address().replace('/workplace', '/console');
    const { page: other } = await visits.open(console);
    await signInAt(other, 'alice.martin');
    await other.getByRole('link', { name: 'Set up an authenticator app' }).waitFor();
    const { page: third } = await visits.open(site.address());
    await signInAt(third, 'bruno.keller');
    await third.getByLabel(/^Code/).fill(codes[0]!);
    await third.getByRole('button', { name: 'Sign in' }).click();
    await heading(third, 'Hello, Bruno').waitFor();
  });
});
