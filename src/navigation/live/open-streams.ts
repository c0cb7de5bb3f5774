import { Injectable } from '@nestjs/common';
import { tooManyRequests, unavailable } from '../../base/errors/api-errors.js';
import type { Caller } from '../../security/caller.js';
import { type CounterStream, type EndReason, HEARTBEAT } from './counter-stream.js';
import { Expirations } from './expirations.js';
import { Person } from './person.js';
import { reason } from '../../base/errors/reason.js';

/** Most streams of one person, and of one process, each of which takes about 20 KiB. */
const MAX_OF_ONE = 10;
const MAX_STREAMS = 20_000;

/** Seconds after which a rejected client may retry. */
const RETRY_AFTER = 10;

/** The number of turns between two heartbeats. */
const TURNS = 150;

/** The streams of this process: by person, by their heartbeat, and by the expiration of their sessions. */
@Injectable()
export class OpenStreams {
  readonly people = new Map<string, Person>();
  private readonly expirations = new Expirations();
  /** The streams of each heartbeat turn, which spreads the heartbeats over time. */
  private readonly turns = Array.from({ length: TURNS }, () => new Set<CounterStream>());
  private turn = 0;
  private readonly leaveListeners: ((person: Person) => void)[] = [];
  count = 0;

  /** Sets a function to call when the last stream of a person has closed. */
  whenLeft(listener: (person: Person) => void): void {
    this.leaveListeners.push(listener);
  }

  /** @throws ApiError 429 when the person has too many streams; 503 when the process has */
  check(personId: string): void {
    if ((this.people.get(personId)?.streams.size ?? 0) >= MAX_OF_ONE)
      throw tooManyRequests(RETRY_AFTER, reason('too-many-streams', { max: MAX_OF_ONE }));
    if (this.count >= MAX_STREAMS) throw unavailable(RETRY_AFTER);
  }

  add(stream: CounterStream): Person {
    const { id, rights } = stream.caller;
    const person = this.people.get(id) ?? new Person(id, rights);
    this.people.set(id, person);
    person.streams.add(stream);
    stream.turn = turnAt(performance.now());
    // Skips the turns that passed while no stream was open.
    if (this.count === 0) this.turn = stream.turn;
    this.turns[stream.turn]!.add(stream);
    this.expirations.add(stream);
    this.count++;
    return person;
  }

  /** Removes a stream. A second call has no effect. */
  remove(stream: CounterStream): void {
    const person = this.people.get(stream.caller.id);
    if (!person?.streams.delete(stream)) return;
    this.count--;
    this.turns[stream.turn]!.delete(stream);
    this.expirations.delete(stream);
    if (person.streams.size > 0) return;
    this.people.delete(person.id);
    for (const listener of this.leaveListeners) listener(person);
  }

  end(stream: CounterStream, reason: EndReason): void {
    this.remove(stream);
    stream.end(reason);
  }

  /** Updates the caller of a stream, unless it has closed meanwhile. */
  renew(stream: CounterStream, caller: Caller): void {
    if (!this.people.get(stream.caller.id)?.streams.has(stream)) return;
    this.expirations.delete(stream);
    stream.caller = caller;
    this.expirations.add(stream);
  }

  /** Returns the streams whose sessions have expired, each once. */
  takeExpired(now: number): CounterStream[] {
    return this.expirations.take(now);
  }

  *all(): Generator<CounterStream> {
    for (const { streams } of this.people.values()) yield* streams;
  }

  /** Sends the heartbeats of the turns that have come since the last call. */
  beat(): void {
    const now = turnAt(performance.now());
    while (this.turn !== now) {
      this.turn = (this.turn + 1) % TURNS;
      for (const stream of this.turns[this.turn]!) stream.beat();
    }
  }
}

const turnAt = (time: number): number => Math.floor((time * TURNS) / HEARTBEAT) % TURNS;
