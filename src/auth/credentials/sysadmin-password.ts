import pg from 'pg';
import type { Config } from '../../base/config/config.js';
import { clientOptions } from '../../database/connection-options.js';
import { generatePassword } from './generate-password.js';
import { hashPassword } from './password-hash.js';

/**
 * Sets the first password of sysadmin: the configured one, else a generated one. It runs under the lock of the
 * migrations, so that only one of several instances sets it. It prints a generated one on standard error as soon as it
 * is stored, because a later failure would lose it.
 */
export async function setFirstSysadminPassword(config: Config): Promise<void> {
  const client = new pg.Client(clientOptions(config));
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      'SELECT id FROM users WHERE sysadmin AND NOT EXISTS (SELECT 1 FROM passwords p WHERE p.user_id = users.id)',
    );
    if (!rows[0]) return;
    const configured = config.env.SYSADMIN_PASSWORD;
    const password = configured ?? generatePassword();
    await client.query('INSERT INTO passwords (user_id, hash) VALUES ($1, $2)', [
      rows[0].id,
      await hashPassword(password),
    ]);
    if (configured === undefined)
      process.stderr.write(
        `System administrator: sysadmin, password ${password} (shown only now)\n`,
      );
  } finally {
    await client.end();
  }
}
