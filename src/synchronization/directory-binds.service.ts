import { Injectable, Logger } from '@nestjs/common';
import {
  type DirectoryBinder,
  DirectoryPasswords,
  type DirectoryPerson,
  type Verdict,
} from '../auth/credentials/directory-passwords.service.js';
import { Config } from '../base/config/config.js';
import { Database } from '../database/database.js';
import { type LdapSettings, mappingOf } from '../directory/ldap-settings.js';
import { USER_STATUS } from '../security/user-status.js';
import { type Directory, findDirectory } from './directory.js';
import { bindOf, DirectoryUnreadable, LdapConnection, REQUEST_TIMEOUT } from './ldap-connection.js';
import { personAttributes, readPerson, storedKey } from './read-entry.js';

/** After this time (milliseconds) no further server is asked: the person waits. */
const ENOUGH = 4_000;

/**
 * Asks a directory for a person's password: finds the entry by its key, so that a login never gets into a filter, and then
 * binds as it on a connection of its own.
 */
@Injectable()
export class DirectoryBinds implements DirectoryBinder {
  private readonly logger = new Logger(DirectoryBinds.name);
  /** The server that answered last, by provider; it is asked first. */
  private readonly lastServer = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly config: Config,
    directoryPasswords: DirectoryPasswords,
  ) {
    directoryPasswords.follow(this);
  }

  async verify(person: DirectoryPerson, password: string): Promise<Verdict> {
    const { provider } = person;
    const directory = await findDirectory(this.database, this.config, provider);
    if (!directory) return 'unavailable';
    const { isActive, reference, settings } = directory;
    const failures = isActive ? [] : ['the provider is not active'];
    const started = performance.now();
    for (const url of isActive ? this.serversOf(provider, settings) : []) {
      if (performance.now() - started > ENOUGH) break;
      try {
        const isTaken = await isRight(directory, url, person, password);
        this.lastServer.set(provider, url);
        return isTaken ? 'right' : 'wrong';
      } catch (error) {
        if (!(error instanceof DirectoryUnreadable)) throw error;
        failures.push(error.message);
      }
    }
    this.logger.warn(
      `the directory ${reference} does not answer, and its people cannot sign in: ${failures.join('; ')}`,
    );
    return 'unavailable';
  }

  private serversOf(provider: string, { urls }: LdapSettings): string[] {
    const last = this.lastServer.get(provider);
    return last !== undefined && urls.includes(last)
      ? [last, ...urls.filter((url) => url !== last)]
      : urls;
  }
}

/** @throws DirectoryUnreadable */
async function isRight(
  { settings, password: secret }: Directory,
  url: string,
  { externalId }: DirectoryPerson,
  password: string,
): Promise<boolean> {
  const attribute = mappingOf(settings).key ?? '';
  const found = await LdapConnection.on(
    { ...settings, urls: [url] },
    bindOf(settings, secret),
    (connection) =>
      connection.findPeople(
        settings,
        { attribute, value: storedKey(attribute, externalId) },
        personAttributes(settings),
      ),
    REQUEST_TIMEOUT,
  );
  const [entry] = found;
  if (!entry || found.length > 1) return false;
  const { key, values } = readPerson(entry, settings);
  if (key !== externalId || values.status !== USER_STATUS.active || entry.dn === '') return false;
  return LdapConnection.takesPassword(settings, url, { dn: entry.dn, password }, REQUEST_TIMEOUT);
}
