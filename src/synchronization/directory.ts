import { SecretBox } from '../base/encryption/secret-box.js';
import type { Config } from '../base/config/config.js';
import { conflict } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import type { Reader } from '../database/database.js';
import type { LdapSettings } from '../directory/ldap-settings.js';
import { secretOf } from '../directory/provider-secrets.js';

/** An LDAP provider, with the password of its account. */
export interface Directory {
  /** Its id. */
  provider: string;
  reference: string;
  isActive: boolean;
  isDryRun: boolean;
  settings: LdapSettings;
  password: string | undefined;
}

/** Reads a provider; undefined for one of another kind, or without settings. */
export async function findDirectory(
  reader: Reader,
  { env }: Config,
  provider: string,
): Promise<Directory | undefined> {
  const [row] = await reader.query<Omit<Directory, 'password'>>({
    text: `SELECT id::text AS provider, reference, active AS "isActive", dry_run AS "isDryRun", ldap AS settings
      FROM providers WHERE id = $1 AND kind = 'ldap' AND ldap IS NOT NULL`,
    values: [provider],
  });
  if (!row) return undefined;
  return { ...row, password: await secretOf(reader, new SecretBox(env.SECRETS_KEY), provider) };
}

/** @throws ApiError 409 for a provider of another kind, or without settings */
export async function directoryOf(
  reader: Reader,
  config: Config,
  provider: string,
): Promise<Directory> {
  const directory = await findDirectory(reader, config, provider);
  if (!directory) throw conflict(reason('no-ldap-settings'));
  return directory;
}
