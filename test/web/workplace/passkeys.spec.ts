import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectAccessible, heading, signInAt } from '../../support/browser.js';
import { freePort } from '../../support/free-port.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';

let server: TestServer;
let origin: string;
beforeAll(async () => {
  const port = String(await freePort());
  // A passkey belongs to the name of a host.
  origin = `http://localhost:${port}`;
  server = await startTestServer({
    PORT: port,
    PUBLIC_URL: origin,
    SECRETS_KEY: 'a-key-for-the-secrets-of-this-test',
  });
});
afterAll(() => server.close());

/** Gives the browser of a page a device with a fingerprint reader, whose owner always consents. */
async function withAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const signOut = async (page: Page): Promise<void> => {
  await page.goto(`${origin}/workplace`);
  await heading(page, 'Hello, Alice').waitFor();
  await page.getByLabel('Account').click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await heading(page, 'Sign in').waitFor();
};
const withPasskey = (page: Page) =>
  page.getByRole('button', { name: 'Sign in with a passkey' }).click();

describeInBrowser('A passkey', (visits) => {
  it('is added on the profile, signs in alone on both pages, and confirms', async () => {
    const { page } = await visits.open(`${origin}/workplace/profile`);
    await withAuthenticator(page);
    await signInAt(page, 'alice.martin');
    const section = page.getByRole('region', { name: 'Second step at sign-in' });
    await section.getByRole('button', { name: 'Add a passkey' }).click();
    const name = section.getByLabel('Name of the passkey');
    expect(await name.inputValue()).toBe('Chrome · Linux');
    await name.fill('My laptop');
    await expectAccessible(page);
    await section.getByRole('button', { name: 'Make the passkey' }).click();
    await section.getByText('Keep these recovery codes').waitFor();
    await section.getByRole('button', { name: 'I have kept them' }).click();
    await section.getByText('My laptop').waitFor();
    await expectAccessible(page);

    // The same device makes no second one.
    await section.getByRole('button', { name: 'Add a passkey' }).click();
    await section.getByRole('button', { name: 'Make the passkey' }).click();
    await section.getByText('This device already has a passkey of yours.').waitFor();

    await signOut(page);
    await expectAccessible(page);
    await withPasskey(page);
    await heading(page, 'Hello, Alice').waitFor();

    // It is the second step of a password.
    await signOut(page);
    await signInAt(page, 'alice.martin');
    await page.getByLabel(/^Code/).waitFor();
    await withPasskey(page);
    await heading(page, 'Hello, Alice').waitFor();

    await signOut(page);
    await page.goto(`${origin}/console`);
    await withPasskey(page);
    await heading(page, /^Hello, Alice/).waitFor();

    // A session that is too old asks for it.
    await page.goto(`${origin}/workplace/profile`);
    await server.database.query(
      `UPDATE tokens SET proof_date = proof_date - interval '301 seconds'`,
    );
    await section.getByRole('button', { name: 'Remove the passkey My laptop' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await section.getByText('My laptop').waitFor({ state: 'detached' });

    // The device still has it.
    await signOut(page);
    await withPasskey(page);
    await page.getByRole('alert').getByText('This passkey is not known here').waitFor();
  });
});
