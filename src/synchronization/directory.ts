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
  settings: LdapSettings;
  password: string | undefined;
}

/** @throws ApiError 409 for a provider of another kind, or without settings */
export async function directoryOf(
  reader: Reader,
  { env }: Config,
  provider: string,
): Promise<Directory> {
  const [row] = await reader.query<{ ldap: LdapSettings }>({
    text: `SELECT ldap FROM providers WHERE id = $1 AND kind = 'ldap' AND ldap IS NOT NULL`,
    values: [provider],
  });
  if (!row) throw conflict(reason('no-ldap-settings'));
  const password = await secretOf(reader, new SecretBox(env.SECRETS_KEY), provider);
  return { provider, settings: row.ldap, password };
}
