import { Injectable } from '@nestjs/common';
import { Batcher } from '../../base/concurrency/batcher.js';
import { parseCidrList } from '../../base/config/parse-cidr-list.js';
import { Database } from '../../database/database.js';
import { Notifications } from '../../database/notifications.js';
import { CidrSet } from '../cidr-set.js';
import {
  type ParameterDefinition,
  type ParameterName,
  PARAMETERS,
  timeZoneOf,
} from './parameter-definitions.js';

/** A snapshot of all server parameters. */
export class ParameterValues {
  readonly callerAddresses: CidrSet;
  readonly sysadminAddresses: CidrSet;
  /** Addresses that are exempt from the throttle. */
  readonly portals: CidrSet;
  /** The time zone of displayed dates and of the digest, by a name with the same meaning in Node and PostgreSQL. */
  readonly timeZone: string;

  constructor(private readonly stored: ReadonlyMap<string, string>) {
    this.callerAddresses = this.addresses('callerAddresses');
    this.sysadminAddresses = this.addresses('sysadminAddresses');
    this.portals = this.addresses('throttlePortals');
    this.timeZone = timeZoneOf(this.text('timeZone')) ?? PARAMETERS.timeZone.defaultValue;
  }

  text(name: ParameterName): string {
    return this.textOf(PARAMETERS[name]);
  }

  textOf({ key, defaultValue }: ParameterDefinition): string {
    return this.stored.get(key) ?? defaultValue;
  }

  number(name: ParameterName): number {
    return Number(this.text(name));
  }

  private addresses(name: ParameterName): CidrSet {
    return new CidrSet(parseCidrList(this.text(name)).entries);
  }

  flag(name: ParameterName): boolean {
    return this.text(name) === 'true';
  }
}

/** Reads server parameters from a cache while the LISTEN connection is alive, otherwise from the database. */
@Injectable()
export class ParametersService {
  private remembered: ParameterValues | undefined;
  /** Counts changes, so that an outdated read is not cached. */
  private generation = 0;
  /** Requests during a read share the next one, because the present read may be older than they are. */
  private readonly reads = new Batcher<void, ParameterValues>(async (waiting) => {
    const values = await this.read();
    return waiting.map(() => values);
  });

  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
  ) {
    const forget = (): void => {
      this.generation++;
      this.remembered = undefined;
    };
    notifications.subscribe({ channel: 'parameters', changed: forget, reset: forget });
  }

  /** The current values; a promise only when they must be read from the database. */
  current(): ParameterValues | Promise<ParameterValues> {
    if (this.remembered && this.notifications.isLive) return this.remembered;
    return this.reads.run();
  }

  private async read(): Promise<ParameterValues> {
    const generation = this.generation;
    const rows = await this.database.query<{ key: string; value: string }>({
      text: 'SELECT key, value FROM parameters',
      values: [],
    });
    const values = new ParameterValues(new Map(rows.map(({ key, value }) => [key, value])));
    if (generation === this.generation && this.notifications.isLive) this.remembered = values;
    return values;
  }
}
