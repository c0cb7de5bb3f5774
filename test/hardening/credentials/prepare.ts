import { call, type Harness, tokenOf } from '../harness.js';
import { SYSADMIN_PASSWORD } from '../../support/prepare-database.js';

/** Sets a server parameter by SQL, also to a value outside its bounds. */
export async function setParameter(harness: Harness, key: string, value: string): Promise<void> {
  await harness.query(
    'INSERT INTO parameters (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [key, value],
  );
}

/** Allows calls from the whole loopback network and exempts every address from the throttle. */
export async function openDoors(harness: Harness): Promise<void> {
  await setParameter(
    harness,
    'security.ExternalAuthenticationAction.allowedAddresses',
    '127.0.0.0/8',
  );
  await setParameter(harness, 'security.Throttle.failures', '1000000000');
}

/** Creates a user with the demonstration password. */
export async function makeUser(port: number, token: string, login: string): Promise<string> {
  const body = { login, lastName: 'Reported', password: 'Portal-Demo-2026' };
  const { status, text } = await call(port, '/api/v2/directory/users', {
    method: 'POST',
    token,
    body,
  });
  if (status !== 201) throw new Error(text);
  return (JSON.parse(text) as { id: string }).id;
}

export const sysadminToken = (port: number): Promise<string> =>
  tokenOf(port, 'sysadmin', SYSADMIN_PASSWORD);

/** Waits until every instance has received the notification of changes by SQL. */
export const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 1_000));
