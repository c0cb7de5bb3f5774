import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../../base/config/config.js';
import { Database } from '../../database/database.js';
import { unauthenticated } from '../../base/errors/api-errors.js';
import { etagOf } from '../../http/etag.js';
import { PreparedJson } from '../../http/prepared-json.js';
import type { RequestState } from '../../http/request-state.js';
import type { Change, ChangeKind } from '../../journal/change.js';
import { LastChanges } from '../../journal/last-changes.js';
import { ReadBarrier } from '../../journal/read-barrier.js';
import { applications } from '../../process/applications/application.resource.js';
import { dependsOnTasksAlone, type StoredView } from '../../process/tiles/parse-view.js';
import { absenteesOf } from '../../process/access/substitution.js';
import { uriOf } from '../../resources/uri.js';
import type { Caller } from '../../security/caller.js';
import { JOIN_VIEW, VIEW, viewIn } from '../tile-sql.js';
import { type OwnPart, SharedTexts } from './shared-texts.js';

const MEBIBYTE = 2 ** 20;

/** Upper bounds of the memory of people and of their answers, in bytes. */
const PERSON_BYTES = 500;
const PRINCIPAL_BYTES = 40;
const ANSWER_BYTES = 400;
const VALUE_BYTES = 24;

/** The kinds of objects in the answers of all users. */
const CATALOGUE: ReadonlySet<ChangeKind> = new Set(['categories', 'applications', 'views']);

/** Other kinds of objects that tasks link to, whose attributes filters of views can read. */
const LINKED: ReadonlySet<ChangeKind> = new Set(['users', 'groups', 'sources']);

/** The kinds of changes that affect people's tasks. */
const OF_TASKS: ReadonlySet<ChangeKind> = new Set(['tasks', 'candidates']);

/** The views of the tiles, by the URI of the application. */
export type TileViews = ReadonlyMap<string, StoredView>;

/** How to produce an answer. */
export interface Answer<T> {
  /** Whether it contains counts of tasks. */
  hasCounters?: boolean;
  /** Reads the answer from the database. */
  load: (caller: Caller) => Promise<T>;
  /** Reads only its counters when the rest of the former answer is still valid. */
  updateCounters?: (caller: Caller, before: T, views: TileViews) => Promise<T>;
}

/** An answer, and the time when its reading began. */
interface Remembered extends OwnPart {
  etag: string;
  time: number;
}

/**
 * The user, the groups and the organizations whose audiences a person belongs to, those for whom the person stands in, and
 * the person's answers.
 */
interface Person {
  principals: string[];
  time: number;
  answers: Map<string, Remembered>;
  bytes: number;
}

/** A cached answer and its person. */
interface Known {
  person: Person;
  answer: Remembered;
  makeText: () => string;
}

/**
 * A cache of each person's answers of the navigation API. An answer is valid while the read barrier has seen no
 * relevant change after the beginning of its read, so answers are as new as the database (docs/decisions/0032).
 */
@Injectable()
export class NavigationMemory {
  /** Cache hits and misses since the start. */
  readonly lookups = { hits: 0, misses: 0 };

  private readonly people: LRUCache<string, Person> | undefined;
  private readonly texts: SharedTexts | undefined;
  /** A logical clock, advanced by each read of the journal that found changes. */
  private time = 0;
  private lastReset = 0;
  private lastCatalogue = 0;
  private lastLinked = 0;
  private readonly ofPeople = new LastChanges();
  private readonly ofTasks = new LastChanges();
  /**
   * The views of all tiles, and whether one of them filters by attributes of linked objects: people, groups, sources.
   */
  private views: { byTile: TileViews; filterByLinks: boolean; time: number } | undefined;

  constructor(
    config: Config,
    private readonly database: Database,
    barrier: ReadBarrier,
  ) {
    // One half holds the people, the other the texts that their answers share.
    const maxSize = (config.env.NAVIGATION_MEMORY * MEBIBYTE) / 2;
    if (maxSize === 0) return;
    this.texts = new SharedTexts(maxSize);
    this.people = new LRUCache({ maxSize, sizeCalculation: ({ bytes }) => bytes });
    barrier.subscribe({
      changed: (changes) => this.note(changes),
      reset: () => {
        this.lastReset = ++this.time;
      },
    });
  }

  /** Memory of the answers, in bytes. */
  get size(): number {
    return (this.people?.calculatedSize ?? 0) + (this.texts?.size ?? 0);
  }

  /**
   * The answer to the caller of a request, from the cache while it is valid.
   * @param request the state of a request of a route with @FromMemory()
   * @param key distinguishes the answers to one person
   * @throws ApiError 401 without a caller, and the errors of `load`, which are not cached
   */
  async answer<T>(
    { caller, hasPassedBarrier }: Pick<RequestState, 'caller' | 'hasPassedBarrier'>,
    key: string,
    { hasCounters = false, load, updateCounters }: Answer<T>,
  ): Promise<PreparedJson> {
    if (!caller) throw unauthenticated();
    if (!this.people || !hasPassedBarrier) {
      this.lookups.misses++;
      return prepare(await load(caller));
    }
    const known = this.find(caller, key);
    if (known && (!hasCounters || this.hasCurrentCounters(known))) {
      this.lookups.hits++;
      return new PreparedJson(known.makeText, known.answer.etag);
    }
    this.lookups.misses++;
    // Takes the time before any read, so that a change during it counts as later.
    const { time } = this;
    const [body, person] =
      known && updateCounters
        ? [await this.withUpdatedCounters(caller, known, updateCounters), known.person]
        : await Promise.all([load(caller), this.personOf(caller, time)]);
    const text = JSON.stringify(body);
    const etag = etagOf(text);
    const json = new PreparedJson(() => text, etag);
    if (hasCounters && isPartial(body)) return json;
    if (hasCounters) await this.currentViews();
    this.remember(caller, person, key, { ...this.texts!.store(text), etag, time });
    return json;
  }

  /** The former answer while the catalogue and the person are unchanged; its counters may be stale. */
  private find(viewer: Caller, key: string): Known | undefined {
    const person = this.people!.get(keyOf(viewer));
    if (!person || !this.isCurrent(person)) return undefined;
    const answer = person.answers.get(key);
    if (!answer || answer.time < Math.max(this.lastReset, this.lastCatalogue)) return undefined;
    const makeText = this.texts!.restore(answer);
    return makeText && { person, answer, makeText };
  }

  private async withUpdatedCounters<T>(
    caller: Caller,
    { makeText }: Known,
    updateCounters: NonNullable<Answer<T>['updateCounters']>,
  ): Promise<T> {
    const { byTile } = await this.currentViews();
    return updateCounters(caller, JSON.parse(makeText()) as T, byTile);
  }

  private isCurrent({ time, principals }: Person): boolean {
    return time >= this.lastReset && !this.ofPeople.isAfter(time, principals);
  }

  private hasCurrentCounters({ answer: { time }, person: { principals } }: Known): boolean {
    if (this.ofTasks.isAfter(time, principals)) return false;
    const { views } = this;
    if (!views || views.time < this.lastCatalogue) return false;
    return !views.filterByLinks || time >= this.lastLinked;
  }

  /** The person, from the cache or the database. */
  private async personOf(viewer: Caller, time: number): Promise<Person> {
    const known = this.people!.get(keyOf(viewer));
    if (known && this.isCurrent(known)) return known;
    const [row] = await this.database.rows({
      text: `SELECT (principals($1) || ${absenteesOf('$1')})::text[]`,
      values: [viewer.id],
    });
    const principals = row![0] as string[];
    const bytes = PERSON_BYTES + principals.length * PRINCIPAL_BYTES;
    return { principals, time, answers: new Map(), bytes };
  }

  /** The views of the tiles, from the cache or the database. */
  private async currentViews(): Promise<NonNullable<typeof this.views>> {
    const known = this.views;
    if (known && known.time >= Math.max(this.lastReset, this.lastCatalogue)) return known;
    const { time } = this;
    const rows = await this.database.rows({
      text: `SELECT a.id, ${VIEW} FROM applications a ${JOIN_VIEW} WHERE v.id IS NOT NULL`,
      values: [],
    });
    const byTile = new Map(
      rows.map(([id, ...view]) => [uriOf(applications.ref.uri, id), viewIn(view)!]),
    );
    const filterByLinks = [...byTile.values()].some((view) => !dependsOnTasksAlone(view));
    return (this.views = { byTile, filterByLinks, time });
  }

  private remember(viewer: Caller, person: Person, key: string, answer: Remembered): void {
    const before = person.answers.get(key);
    if (before && before.time > answer.time) return;
    person.answers.set(key, answer);
    person.bytes += bytesOf(key, answer) - (before ? bytesOf(key, before) : 0);
    // The cache measures a person only when a new object is stored.
    this.people!.delete(keyOf(viewer));
    this.people!.set(keyOf(viewer), person);
  }

  private note(changes: Change[]): void {
    const time = ++this.time;
    for (const { kind, object, principals } of changes) {
      if (CATALOGUE.has(kind)) this.lastCatalogue = time;
      if (LINKED.has(kind)) this.lastLinked = time;
      // A TRUNCATE of the table names no object, so it affects all users.
      if (object === null) this.lastReset = time;
      const affected = OF_TASKS.has(kind) ? this.ofTasks : this.ofPeople;
      for (const principal of principals) affected.note(principal, time);
    }
  }
}

/** The facts about a viewer on which answers depend. */
const keyOf = ({ id, locale, rights }: Caller): string => `${id} ${locale} ${rights.key}`;

function prepare(body: unknown): PreparedJson {
  const text = JSON.stringify(body);
  return new PreparedJson(() => text, etagOf(text));
}

/** A character takes up to two bytes. */
const bytesOf = (key: string, { values }: Remembered): number =>
  ANSWER_BYTES + 2 * key.length + VALUE_BYTES * values.length;

/** Whether a counter timed out, so that the next call should try again. */
const isPartial = (body: unknown): boolean =>
  Array.isArray(body) &&
  (body as { applications?: { indicator: unknown }[] }[]).some(({ applications = [] }) =>
    applications.some(({ indicator }) => indicator === null),
  );
