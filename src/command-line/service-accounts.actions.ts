import { ApiKeysService, type NewApiKey } from '../auth/credentials/api-keys.service.js';
import { Database } from '../database/database.js';
import { ApiKeyDto } from '../directory/api-key.dto.js';
import { DirectoryModule } from '../directory/directory.module.js';
import { serviceAccounts } from '../directory/service-account.resource.js';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { ResourceWriter } from '../resources/write/resource-writer.js';
import { ADMINISTRATOR } from './administrator.js';
import { CommandError, print, type PrintOptions } from './output.js';
import { type Server, withServer } from './with-server.js';

interface NewAccount extends PrintOptions {
  title: string;
  callsPerMinute?: string;
}

interface NewKey extends PrintOptions {
  expires: string;
  addresses?: string;
  permission?: string[];
}

export const create = (
  login: string,
  { title, callsPerMinute, ...options }: NewAccount,
): Promise<void> =>
  withServer([DirectoryModule], async (server) => {
    const body = {
      login,
      title,
      ...(callsPerMinute !== undefined && { callsPerMinute: Number(callsPerMinute) }),
    };
    const change = {
      resource: serviceAccounts,
      caller: ADMINISTRATOR,
      auditContext: server.auditContext,
    };
    await server.get(ResourceWriter).create(change, {}, body);
    print([{ login, title }], options, `${login} is there; it has no key and no role yet`);
  });

/** Creates a key, which is printed once. */
export const createKey = (
  login: string,
  name: string,
  { expires: expiration, addresses, permission, ...options }: NewKey,
): Promise<void> =>
  withServer([DirectoryModule], async (server) => {
    const id = await idOf(server, login);
    const body = {
      name,
      expiration,
      addresses: addresses ?? null,
      permissions: permission ?? null,
    };
    const metadata = { type: 'body', metatype: ApiKeyDto } as const;
    const checked = (await new FixedBodyPipe().transform(body, metadata)) as ApiKeyDto;
    const made = await server.get(ApiKeysService).create(server.auditContext, id, checked);
    printKey(made, options);
  });

/** Replaces a key by a new one, which is printed once; the old one stays valid for a while. */
export const rotateKey = (
  login: string,
  keyId: string,
  { overlap, ...options }: PrintOptions & { overlap: string },
): Promise<void> =>
  withServer([DirectoryModule], async (server) => {
    const id = await idOf(server, login);
    const rotation = { keyId, overlap: Number(overlap) };
    printKey(await server.get(ApiKeysService).rotate(server.auditContext, id, rotation), options);
  });

export const deleteKey = (login: string, keyId: string, options: PrintOptions): Promise<void> =>
  withServer([DirectoryModule], async (server) => {
    const id = await idOf(server, login);
    const deleted = await server.get(ApiKeysService).delete(server.auditContext, id, keyId);
    if (deleted === 0) throw new CommandError(`${login} has no key ${keyId}`);
    print([{ login, key: keyId }], options, `the key ${keyId} of ${login} is deleted`);
  });

function printKey({ id, name, expiration, key }: NewApiKey, options: PrintOptions): void {
  print([{ id, name, expiration, key }], options, key);
}

/** @throws CommandError for an unknown login, or one of a person */
async function idOf({ get }: Server, login: string): Promise<string> {
  const [row] = await get(Database).rows({
    text: 'SELECT id FROM users WHERE login_key(login) = login_key($1) AND service',
    values: [login],
  });
  if (!row) throw new CommandError(`there is no service account ${login}`);
  return String(row[0]);
}
