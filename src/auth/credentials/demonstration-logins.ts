import pg from 'pg';
import type { Config } from '../../base/config/config.js';
import { clientOptions } from '../../database/connection-options.js';
import { USER_STATUS } from '../../security/user-status.js';
import { verifyPassword } from './password-hash.js';

/** The published password of every account of the demonstration portal. */
export const DEMO_PASSWORD = 'Portal-Demo-2026';

/** The accounts to try first: an administrator and two employees. */
const DEMO_LOGINS = ['alice.martin', 'bruno.keller', 'chloe.lefevre'];

/** A demonstration account that visitors can use. */
export interface DemonstrationLogin {
  login: string;
  administrator: boolean;
}

/** The demonstration accounts that still have the published password. */
export async function demonstrationLogins(config: Config): Promise<DemonstrationLogin[]> {
  const client = new pg.Client(clientOptions(config));
  await client.connect();
  try {
    const { rows } = await client.query<DemonstrationLogin & { hash: string }>(
      `SELECT u.login, u.administrator, p.hash FROM users u JOIN passwords p ON p.user_id = u.id
       WHERE u.login = ANY ($1) AND u.status = $2 ORDER BY u.login`,
      [DEMO_LOGINS, USER_STATUS.active],
    );
    const matches = await Promise.all(rows.map(({ hash }) => verifyPassword(hash, DEMO_PASSWORD)));
    return rows.filter((_, at) => matches[at]);
  } finally {
    await client.end();
  }
}
