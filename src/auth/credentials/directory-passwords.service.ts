import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ConcurrencyLimiter } from '../../base/concurrency/limiter.js';

/**
 * Limits of the binds of a process: more would let a directory that hangs hold connections and memory. Further attempts
 * wait (milliseconds), then get a 503.
 */
const BINDS = { maxConcurrent: 8, maxQueued: 64, queueTimeout: 5_000 };

/** A person whose password the directory of a provider checks. */
export interface DirectoryPerson {
  /** The id of the provider. */
  provider: string;
  /** The key of the person's entry. */
  externalId: string;
}

/** What a password was verified against: the stored hash, or the directory of a provider. */
export type VerifiedBy = { passwordHash: string } | { provider: string };

/** What a directory says of a password; `unavailable` when it could not be asked. */
export type Verdict = 'right' | 'wrong' | 'unavailable';

/** Asks directories, which stand above this module. */
export interface DirectoryBinder {
  /** Finds the entry of a person and binds as it; never throws because of the directory. */
  verify(person: DirectoryPerson, password: string): Promise<Verdict>;
}

/** SQL: whether a provider's directory checks the passwords of its people. */
export const CHECKS_PASSWORDS = `kind = 'ldap' AND ldap ->> 'signIn' = 'true'`;

/**
 * SQL: the id of the provider whose directory checks the password of a user; otherwise null. sysadmin gets in without any
 * directory.
 * @param user the alias of the user's row
 */
export const directoryOf = (user: string): string =>
  `(SELECT d.id FROM providers d WHERE d.id = ${user}.managed_by_id AND NOT ${user}.sysadmin AND ${CHECKS_PASSWORDS})`;

/** Checks passwords with the directory that keeps the person (docs/ldap.md#passwords-of-the-directory). */
@Injectable()
export class DirectoryPasswords {
  private readonly binds = new ConcurrencyLimiter(BINDS);
  private binder: DirectoryBinder | undefined;
  private lastDuration = 0;

  /** Registers what asks the directories. */
  follow(binder: DirectoryBinder): void {
    this.binder = binder;
  }

  /**
   * @param takeBack takes the counted attempt back where the directory gives no verdict: an outage locks nobody out
   * @throws ApiError 503 when too many wait
   */
  async verify(
    person: DirectoryPerson,
    password: string,
    takeBack: () => Promise<void>,
  ): Promise<Verdict> {
    let verdict: Verdict = 'unavailable';
    try {
      verdict = await this.ask(person, password);
    } finally {
      if (verdict === 'unavailable') await takeBack();
    }
    return verdict;
  }

  private async ask(person: DirectoryPerson, password: string): Promise<Verdict> {
    // A bind without a password is anonymous, and succeeds (RFC 4513 section 5.1.2); some servers cut at a NUL.
    if (password.trim() === '' || password.includes('\0') || person.externalId === '') {
      await this.simulateVerify();
      return 'wrong';
    }
    return this.binds.run(async () => {
      const started = performance.now();
      const verdict = await this.binder?.verify(person, password);
      this.lastDuration = performance.now() - started;
      return verdict ?? 'unavailable';
    });
  }

  /** Waits as long as the last check, so that time does not tell whom a directory keeps. */
  simulateVerify(): Promise<void> {
    return delay(this.lastDuration);
  }
}
