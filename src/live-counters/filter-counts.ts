import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database.js';
import { countFilters, readOfferedFilters } from '../process/inbox-filters.js';
import type { Person } from './person.js';
import { take } from './personal-filters.js';

/** How long a round waits for the counts, in milliseconds: those that take longer come with a later round. */
const ROUND_LIMIT = 100;

/** Reads and counts the saved filters of people: each person for themselves, because their rights differ. */
@Injectable()
export class FilterCounts {
  private readonly logger = new Logger('LiveCounters');
  private renewal: Promise<void> | undefined;

  constructor(private readonly database: Database) {}

  /**
   * Brings the filters of people up to date. What is slow goes on beside the rounds, one renewal at a time, and neither
   * that nor what fails holds up any other number.
   * @returns those who have to wait for another round
   */
  async renew(people: Person[]): Promise<Person[]> {
    this.renewal ??= this.renewAll(people).finally(() => (this.renewal = undefined));
    await Promise.race([this.renewal, delay(ROUND_LIMIT, undefined, { ref: false })]);
    return people.filter(
      ({ saved }) => saved.areStale || saved.areNumbersStale || saved.areUnderWay,
    );
  }

  private async renewAll(people: Person[]): Promise<void> {
    const deadline = performance.now() + ROUND_LIMIT;
    try {
      await this.read(people.filter(({ saved }) => saved.areStale));
      // Those who were counted last wait for the others, however often their tasks change.
      const inTurn = people.toSorted((a, b) => a.saved.countTime - b.saved.countTime);
      for (const person of inTurn) {
        if (performance.now() >= deadline) break;
        if (person.saved.areNumbersStale) await this.count(person);
      }
    } catch (error) {
      this.logger.debug(`counts of filters wait: ${String(error)}`);
    }
  }

  private async read(people: Person[]): Promise<void> {
    if (people.length === 0) return;
    for (const { saved } of people) {
      // Before the statement: a change that arrives meanwhile marks them again.
      saved.areStale = false;
      saved.areUnderWay = true;
    }
    try {
      const offered = await readOfferedFilters(
        this.database,
        people.map(({ id }) => id),
      );
      for (const { id, role, saved } of people) take(saved, offered.get(id)!, role);
    } catch (error) {
      for (const { saved } of people) saved.areStale = true;
      throw error;
    } finally {
      for (const { saved } of people) saved.areUnderWay = false;
    }
  }

  private async count({ id, role, saved }: Person): Promise<void> {
    const { filters } = saved;
    saved.areNumbersStale = false;
    saved.countTime = performance.now();
    if (filters.length === 0) return;
    saved.areUnderWay = true;
    try {
      const counts = await countFilters(this.database, [...filters], { ...role, id });
      // The person may have other filters by now.
      if (saved.filters === filters) saved.numbers = counts.map(({ count }) => count);
    } catch (error) {
      saved.areNumbersStale = true;
      this.logger.debug(`the filters of a person wait: ${String(error)}`);
    } finally {
      saved.areUnderWay = false;
    }
  }
}
