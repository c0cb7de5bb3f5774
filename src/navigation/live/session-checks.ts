import { Injectable, Logger } from '@nestjs/common';
import { Database, type Reader } from '../../database/database.js';
import { Notifications } from '../../database/notifications.js';
import { TokensService } from '../../auth/credentials/tokens.service.js';
import type { Caller } from '../../security/caller.js';
import {
  ParametersService,
  type ParameterValues,
} from '../../security/parameters/parameters.service.js';
import { USER_STATUS } from '../../security/user-status.js';
import type { CounterStream, EndReason } from './counter-stream.js';
import { CounterUpdater } from './counter-updater.js';
import { OpenStreams } from './open-streams.js';

/** How often all streams are checked while the listening connection is down, in milliseconds. */
const INTERVAL = 500;

/**
 * Ends the streams whose callers have lost access. Notifications name the sessions to check, and one statement checks
 * all of them.
 */
@Injectable()
export class SessionChecks {
  private readonly logger = new Logger('LiveCounters');
  private readonly unchecked = new Set<CounterStream>();
  private isRunning = false;
  private lastLook = 0;
  private wasLive = true;

  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly tokens: TokensService,
    private readonly parameters: ParametersService,
    private readonly streams: OpenStreams,
    private readonly updater: CounterUpdater,
  ) {
    const all = (): void => this.checkAll();
    notifications.subscribe({
      channel: 'callers',
      changed: (id) =>
        id === '' ? all() : streams.people.get(id)?.streams.forEach((one) => this.check(one)),
      reset: all,
    });
    notifications.subscribe({ channel: 'parameters', changed: all, reset: all });
  }

  /** Checks a stream in the next round. */
  check(stream: CounterStream): void {
    this.unchecked.add(stream);
  }

  /** Runs a round, unless another one is under way. */
  async run(): Promise<void> {
    this.look(performance.now());
    if (this.isRunning || this.unchecked.size === 0) return;
    this.isRunning = true;
    const checked = [...this.unchecked];
    this.unchecked.clear();
    try {
      await this.checkSessions(checked);
    } catch (error) {
      for (const stream of checked) this.unchecked.add(stream);
      this.logger.debug(`sessions wait to be checked: ${String(error)}`);
    } finally {
      this.isRunning = false;
    }
  }

  private look(now: number): void {
    const { isLive } = this.notifications;
    const hasGoneSilent = this.wasLive && !isLive;
    this.wasLive = isLive;
    if (hasGoneSilent || now - this.lastLook >= INTERVAL) {
      this.lastLook = now;
      if (!isLive) return this.checkAll();
    }
    for (const stream of this.streams.takeExpired(now)) this.streams.end(stream, 'expired');
  }

  private checkAll(): void {
    for (const stream of this.streams.all()) this.unchecked.add(stream);
  }

  private async checkSessions(streams: CounterStream[]): Promise<void> {
    // Avoids the pool where possible: a busy pool must not keep a session open.
    const reader = this.notifications.isLive ? this.notifications : this.database;
    const tokenIds = streams.map(({ caller }) => caller.tokenId);
    const callers = await this.tokens.findValid(tokenIds, reader);
    const parameters = await this.parameters.current();
    const ended = streams.filter(({ caller }) => !callers.has(caller.tokenId));
    const active = ended.length > 0 ? await this.activeAmong(ended, reader) : new Set<string>();
    for (const stream of streams) {
      const caller = callers.get(stream.caller.tokenId);
      if (!caller) this.streams.end(stream, reasonOf(stream.caller, active));
      else if (!isAdmitted(caller, stream.address, parameters)) this.streams.end(stream, 'address');
      // A person who has got rights since, of which the key permits a part: the next stream is refused.
      else if (caller.rights.limit !== null) this.streams.end(stream, 'expired');
      else this.keep(stream, caller);
    }
  }

  private keep(stream: CounterStream, caller: Caller): void {
    this.streams.renew(stream, caller);
    const person = this.streams.people.get(caller.id);
    if (!person || person.rights.key === caller.rights.key) return;
    person.rights = caller.rights;
    person.forgetTally();
    this.updater.affect(person);
  }

  private async activeAmong(
    streams: CounterStream[],
    reader: Pick<Reader, 'query'>,
  ): Promise<Set<string>> {
    const rows = await reader.query<{ id: string }>({
      text: `SELECT id FROM users WHERE id = ANY ($1::bigint[]) AND status = ${USER_STATUS.active}`,
      values: [streams.map(({ caller }) => caller.id)],
    });
    return new Set(rows.map(({ id }) => id));
  }
}

function reasonOf({ id, validUntil }: Caller, active: ReadonlySet<string>): EndReason {
  if (!active.has(id)) return 'deactivated';
  return validUntil <= performance.now() ? 'expired' : 'signed-out';
}

/** The same decision as in IpAllowlistGuard and TokenGuard. */
function isAdmitted(
  { keyAddresses, sysadmin }: Caller,
  address: string,
  { callerAddresses, sysadminAddresses }: ParameterValues,
): boolean {
  if (!callerAddresses.has(address) || keyAddresses?.has(address) === false) return false;
  return !sysadmin || sysadminAddresses.has(address);
}
