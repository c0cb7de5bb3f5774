import { createHash } from 'node:crypto';
import type { Entry } from 'ldapts';
import type { LdapSettings } from '../directory/ldap-settings.js';
import type { LdapConnection } from './ldap-connection.js';
import { byName, isActiveDirectory, textOf } from './read-entry.js';

/** How far back changes are read again, in milliseconds: servers of one directory tell each other of changes late. */
const OVERLAP = 600_000;

/** Where the next incremental run begins. */
export type Cookie = { settings: string } & (
  | { /** The newest `modifyTimestamp`, less the overlap. */ since: string }
  | { /** A number of changes that one domain controller counts. */ usn: string; server: string }
);

/** What identifies settings: after a change of them everything is read. */
const digestOf = ({
  intervalMinutes: _,
  intervalFull: __,
  nightlyAt: ___,
  ...rest
}: LdapSettings): string => createHash('sha256').update(JSON.stringify(rest)).digest('base64url');

/**
 * Finds what has changed since the last run: by `uSNChanged` of one domain controller of Active Directory (MS-ADTS
 * 3.1.1.1.9), by `modifyTimestamp` of other directories (RFC 4512 section 3.4.4). Both are clocks of the directory.
 */
export class ChangeReader {
  /** What a search asks for besides. */
  readonly attributes: string[];
  private newest = '';
  private readonly started = performance.now();

  private constructor(
    private readonly settings: LdapSettings,
    private readonly former: Cookie | undefined,
    /** Of a domain controller, read before its entries: what changes meanwhile is read again. */
    private readonly controller: { usn: string; server: string } | undefined,
  ) {
    this.attributes = isActiveDirectory(settings) ? [] : ['modifyTimestamp'];
  }

  /** @param former undefined reads everything */
  static async of(
    connection: LdapConnection,
    settings: LdapSettings,
    former: Cookie | undefined,
  ): Promise<ChangeReader> {
    // A proxy or a restricted account shows none: then every run reads everything.
    const controller = isActiveDirectory(settings)
      ? await connection.controller().catch(() => undefined)
      : undefined;
    return new ChangeReader(settings, former, controller);
  }

  /** The filter of what has changed; undefined when everything has to be read. */
  get filter(): string | undefined {
    const { former, controller } = this;
    if (former?.settings !== digestOf(this.settings)) return undefined;
    if ('usn' in former)
      return former.server === controller?.server
        ? `(uSNChanged>=${BigInt(former.usn) + 1n})`
        : undefined;
    return controller ? undefined : `(modifyTimestamp>=${former.since})`;
  }

  /** Takes note of the time of an entry. */
  note(entry: Entry): void {
    const time = textOf(byName(entry), 'modifyTimestamp') ?? '';
    if (/^\d{14}(\.\d+)?Z$/.test(time) && time > this.newest) this.newest = time;
  }

  /** Where the next run begins; undefined where the directory has no times. */
  next(): Cookie | undefined {
    const settings = digestOf(this.settings);
    if (this.controller) return { settings, ...this.controller };
    if (this.newest === '')
      return this.filter === undefined ? undefined : this.former && { ...this.former, settings };
    // What changes while the directory is read may be older than the newest entry of a later page.
    // The clock of a server that is ahead must not hide what others change until then.
    const since =
      Math.min(timeOf(this.newest), Date.now()) - OVERLAP - (performance.now() - this.started);
    return { settings, since: generalizedTime(since) };
  }
}

/** Milliseconds of a time such as `20261128211500Z` (RFC 4517 section 3.3.13). */
const timeOf = (text: string): number =>
  Date.parse(text.replace(/^(.{4})(..)(..)(..)(..)(..).*$/, '$1-$2-$3T$4:$5:$6Z'));

const generalizedTime = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
