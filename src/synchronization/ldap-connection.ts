import { connect } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import {
  AndFilter,
  Client,
  type Entry,
  EqualityFilter,
  FilterParser,
  ResultCodeError,
} from 'ldapts';
import type { LdapSettings } from '../directory/ldap-settings.js';
import { byName, keyOf, textOf } from './read-entry.js';

/** Attributes that are no text. */
export const BINARY = ['objectGUID', 'invocationId', 'jpegPhoto', 'thumbnailPhoto'];

/** Milliseconds until a server counts as unreachable, and for one page. */
const CONNECT_TIMEOUT = 5_000;
const PAGE_TIMEOUT = 60_000;

/** Milliseconds for each operation of a request, which has to answer within its own time limit. */
export const REQUEST_TIMEOUT = 2_000;

/**
 * The results of a bind that say no to these credentials (RFC 4511 section 4.1.9): invalidCredentials,
 * inappropriateAuthentication, constraintViolation, unwillingToPerform, insufficientAccessRights, noSuchObject. Others say
 * that the server could not try.
 */
const REFUSALS = [49, 48, 19, 53, 50, 32];

/** Naming contexts to which the root of an Active Directory always refers, and which have no people. */
const WITHOUT_PEOPLE = /\/(DC=(Forest|Domain)DnsZones|CN=Configuration),/i;

/** The directory could not be reached, or not be read to the end. The message is for administrators. */
export class DirectoryUnreadable extends Error {}

/** A DN and its password. */
export interface Bind {
  dn: string;
  password: string;
}

/**
 * How a provider's account binds; undefined for an anonymous one.
 * @throws DirectoryUnreadable without a password, because such a bind would be anonymous
 */
export function bindOf({ bindDn }: LdapSettings, password: string | undefined): Bind | undefined {
  if (bindDn === null) return undefined;
  if (password !== undefined && password !== '') return { dn: bindDn, password };
  throw new DirectoryUnreadable(
    'the provider has no password for its bindDn, or SECRETS_KEY does not open it',
  );
}

/** A page of a search. */
export interface Page {
  entries: Entry[];
  /** Whether the server referred to entries that it does not hold. */
  isIncomplete: boolean;
}

/** A connection to the first server of a provider that answers, bound as its account. */
export class LdapConnection {
  private constructor(
    private readonly client: Client,
    /** The server. */
    readonly url: string,
  ) {}

  /**
   * Runs work on a connection, and closes it.
   * @param timeout milliseconds of each operation
   * @throws DirectoryUnreadable when no server takes the connection, with what each of them answered
   */
  static async on<T>(
    settings: LdapSettings,
    bind: Bind | undefined,
    work: (connection: LdapConnection) => Promise<T>,
    timeout = PAGE_TIMEOUT,
  ): Promise<T> {
    const failures: string[] = [];
    let cause: unknown;
    for (const url of settings.urls) {
      const client = clientOf(settings, url, timeout);
      try {
        if (settings.startTls && url.startsWith('ldap:'))
          await client.startTLS(startTlsOf(settings, url));
        if (bind) await client.bind(bind.dn, bind.password);
        // Without a bind, nothing has connected yet.
        else await client.search('', { scope: 'base', attributes: ['1.1'] });
      } catch (error) {
        failures.push(`${url}: ${messageOf(error)}`);
        cause = error;
        await close(client);
        continue;
      }
      try {
        return await work(new LdapConnection(client, url));
      } finally {
        await close(client);
      }
    }
    throw new DirectoryUnreadable(failures.join('; '), { cause });
  }

  /**
   * Whether a server takes the password of an entry, on a connection of its own.
   * @param timeout milliseconds of each operation
   * @throws DirectoryUnreadable when it could not be asked
   */
  static async takesPassword(
    settings: LdapSettings,
    url: string,
    { dn, password }: Bind,
    timeout: number,
  ): Promise<boolean> {
    const client = clientOf(settings, url, timeout);
    try {
      if (settings.startTls && url.startsWith('ldap:'))
        await client.startTLS(startTlsOf(settings, url));
      await client.bind(dn, password);
      return true;
    } catch (error) {
      if (error instanceof ResultCodeError && REFUSALS.includes(error.code)) return false;
      throw new DirectoryUnreadable(`${url}: ${messageOf(error)}`);
    } finally {
      await close(client);
    }
  }

  /**
   * The entries below the base of people that the provider's filter finds, with one value.
   * @param buffers attributes that are no text
   * @param sizeLimit most entries, of which further ones are left out; by default as many as the server answers
   * @throws DirectoryUnreadable
   */
  async findPeople(
    { peopleBase, peopleFilter }: LdapSettings,
    wanted: { attribute: string; value: string | Buffer },
    attributes: string[],
    { buffers = BINARY, sizeLimit }: { buffers?: string[]; sizeLimit?: number } = {},
  ): Promise<Entry[]> {
    // Not as text: a value in a filter object needs no escaping (RFC 4515).
    const filter = new AndFilter({
      filters: [FilterParser.parseString(peopleFilter), new EqualityFilter(wanted)],
    });
    try {
      const { searchEntries } = await this.client.search(peopleBase, {
        ...{ scope: 'sub', filter, attributes, sizeLimit, explicitBufferAttributes: buffers },
      });
      return searchEntries;
    } catch (error) {
      throw new DirectoryUnreadable(messageOf(error));
    }
  }

  /**
   * The entries below a base, page by page.
   * @param buffers attributes that are no text
   * @throws DirectoryUnreadable when a page fails, also the last one
   */
  async *search(
    base: string,
    {
      filter,
      attributes,
      pageSize,
      buffers = BINARY,
    }: Pick<LdapSettings, 'pageSize'> & {
      filter: string;
      attributes: string[];
      buffers?: string[];
    },
  ): AsyncGenerator<Page> {
    try {
      const pages = this.client.searchPaginated(base, {
        scope: 'sub',
        filter,
        attributes,
        explicitBufferAttributes: buffers,
        paged: { pageSize },
      });
      for await (const { searchEntries, searchReferences } of pages)
        yield {
          entries: searchEntries,
          isIncomplete: searchReferences.some((reference) => !WITHOUT_PEOPLE.test(reference)),
        };
    } catch (error) {
      throw new DirectoryUnreadable(messageOf(error));
    }
  }

  /**
   * The domain controller of Active Directory, and the number of its last change (MS-ADTS 3.1.1.3.2).
   * @throws DirectoryUnreadable
   */
  async controller(): Promise<{ usn: string; server: string }> {
    const root = await this.base('', ['highestCommittedUSN', 'dsServiceName']);
    const usn = textOf(root, 'highestCommittedUSN');
    const service = textOf(root, 'dsServiceName');
    if (usn === null || service === null)
      throw new DirectoryUnreadable('the server is no domain controller of Active Directory');
    const server = keyOf(await this.base(service, ['invocationId']), 'invocationId');
    if (server === null) throw new DirectoryUnreadable(`${service} has no invocationId`);
    return { usn, server };
  }

  private async base(dn: string, attributes: string[]): Promise<Map<string, Entry[string]>> {
    const { searchEntries } = await this.client
      .search(dn, { scope: 'base', attributes, explicitBufferAttributes: BINARY })
      .catch((error: unknown) => {
        throw new DirectoryUnreadable(messageOf(error));
      });
    return byName(searchEntries[0] ?? { dn });
  }

  /** One attribute of an entry in its ranges, as Active Directory answers above 1,500 values (MS-ADTS 3.1.1.3.1.3.3). */
  async rangeOf(dn: string, attribute: string, from: number): Promise<Entry | undefined> {
    const { searchEntries } = await this.client
      .search(dn, { scope: 'base', attributes: [`${attribute};range=${from}-*`] })
      .catch((error: unknown) => {
        throw new DirectoryUnreadable(messageOf(error));
      });
    return searchEntries[0];
  }
}

/**
 * A client with one connection. Once that is lost, ldapts would go on with the next page on a new one that is not
 * bound, and what that does not see would count as missing.
 */
function clientOf(settings: LdapSettings, url: string, timeout: number): Client {
  let isUsed = false;
  const first = (): void => {
    if (isUsed) throw new Error('the connection was lost');
    isUsed = true;
  };
  const isTls = url.startsWith('ldaps:');
  return new Client({
    url,
    timeout,
    connectTimeout: Math.min(CONNECT_TIMEOUT, timeout),
    strictDN: false,
    ...(isTls && { tlsOptions: tlsOf(settings) }),
    createConnection: ((...given: Parameters<typeof connect>) => {
      first();
      return connect(...given);
    }) as typeof connect,
    createSecureConnection: ((...given: Parameters<typeof connectTls>) => {
      if (isTls) first();
      return connectTls(...given);
    }) as typeof connectTls,
  });
}

const tlsOf = ({ certificates }: LdapSettings): ConnectionOptions =>
  certificates === null ? {} : { ca: certificates };

/** StartTLS takes over a socket, of which Node.js knows no IP address: without the host, it would expect `localhost`. */
const startTlsOf = (settings: LdapSettings, url: string): ConnectionOptions => ({
  ...tlsOf(settings),
  host: new URL(url).hostname.replace(/^\[|\]$/g, ''),
});

const close = (client: Client): Promise<void> => client.unbind().catch(() => undefined);

const messageOf = (error: unknown): string => {
  const { name, message } = error as Error;
  // The message of a result is often its number alone (RFC 4511 section 4.1.9).
  return `${name}: ${message.trim()}`;
};
