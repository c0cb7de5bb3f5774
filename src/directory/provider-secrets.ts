import { SecretBox } from '../base/encryption/secret-box.js';
import { conflict } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import type { Reader } from '../database/database.js';

/** The owner to which the sealed password of a provider is bound. */
const ownerOf = (providerId: string): string => `provider ${providerId}`;

/**
 * Stores the password with which the server binds to a directory.
 * @param password undefined keeps the stored one
 * @throws ApiError 409 without `SECRETS_KEY`
 */
export async function keepSecret(
  reader: Reader,
  box: SecretBox,
  id: string,
  password: string | undefined,
): Promise<void> {
  if (password === undefined) return;
  if (!box.isOpen) throw conflict(reason('no-secrets-key'));
  await reader.execute({
    text: `INSERT INTO provider_secrets (provider_id, sealed) VALUES ($1, $2)
      ON CONFLICT (provider_id) DO UPDATE SET sealed = EXCLUDED.sealed`,
    values: [id, box.seal(Buffer.from(password), ownerOf(id))],
  });
}

/** The password of a provider; undefined where there is none, or `SECRETS_KEY` does not open it. */
export async function secretOf(
  reader: Reader,
  box: SecretBox,
  id: string,
): Promise<string | undefined> {
  const [row] = await reader.query<{ sealed: Buffer }>({
    text: 'SELECT sealed FROM provider_secrets WHERE provider_id = $1',
    values: [id],
  });
  return row && box.open(row.sealed, ownerOf(id))?.toString();
}
