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

/** What people and their answers take, in bytes, rounded up. */
const PERSON_BYTES = 500;
const PRINCIPAL_BYTES = 40;
const ANSWER_BYTES = 400;
const VALUE_BYTES = 24;

/** What everybody's answers are made of. */
const CATALOGUE: ReadonlySet<ChangeKind> = new Set(['categories', 'applications', 'views']);

/** What tasks link to, beside the catalogue: filters of views can compare with its attributes. */
const LINKED: ReadonlySet<ChangeKind> = new Set(['users', 'groups', 'sources']);

/** Changes of what waits for people. */
const OF_TASKS: ReadonlySet<ChangeKind> = new Set(['tasks', 'candidates']);

/** The views of the tiles, by the URI of the application. */
export type TileViews = ReadonlyMap<string, StoredView>;

/** How an answer comes about. */
export interface Answer<T> {
  /** Whether tasks are counted for it. */
  counts?: boolean;
  /** Reads it from the database. */
  load: (caller: Caller) => Promise<T>;
  /** Reads only its counters, where the rest is as it was answered before. */
  recount?: (caller: Caller, before: T, views: TileViews) => Promise<T>;
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

/** An answer in memory, and to whom it was given. */
interface Known {
  person: Person;
  answer: Remembered;
  makeText: () => string;
}

/**
 * The answers that the navigation API gave to each person, for as long as nothing changes that they are made of. The
 * read barrier makes them as new as the database (docs/decisions/0032): an answer is used when no change that the
 * barrier has seen is later than the beginning of its reading.
 */
@Injectable()
export class NavigationMemory {
  /** Answers from memory and from the database since the start. */
  readonly lookups = { hits: 0, misses: 0 };

  private readonly people: LRUCache<string, Person> | undefined;
  private readonly texts: SharedTexts | undefined;
  /** Counts the reads of the journal that found something. */
  private time = 0;
  private lastReset = 0;
  private lastCatalogue = 0;
  private lastLinked = 0;
  private readonly ofPeople = new LastChanges();
  private readonly ofTasks = new LastChanges();
  /** The views of all tiles, and whether one filters by attributes of what its tasks link to: people, groups, sources. */
  private views: { byTile: TileViews; filterByLinks: boolean; time: number } | undefined;

  constructor(
    config: Config,
    private readonly database: Database,
    barrier: ReadBarrier,
  ) {
    // One half for the people, the other for what their answers share.
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

  /** What the answers take, in bytes. */
  get size(): number {
    return (this.people?.calculatedSize ?? 0) + (this.texts?.size ?? 0);
  }

  /**
   * The answer to the caller of a request, from memory where nothing that it is made of has changed.
   * @param request the state of a request of a route with @FromMemory()
   * @param key tells it from the other answers to the person
   * @throws ApiError 401 without a caller, and what `load` throws; nothing is remembered then
   */
  async answer<T>(
    { caller, hasPassedBarrier }: Pick<RequestState, 'caller' | 'hasPassedBarrier'>,
    key: string,
    { counts = false, load, recount }: Answer<T>,
  ): Promise<PreparedJson> {
    if (!caller) throw unauthenticated();
    if (!this.people || !hasPassedBarrier) {
      this.lookups.misses++;
      return prepare(await load(caller));
    }
    const known = this.find(caller, key);
    if (known && (!counts || this.isCounted(known))) {
      this.lookups.hits++;
      return new PreparedJson(known.makeText, known.answer.etag);
    }
    this.lookups.misses++;
    // Before anything is read: a change that is seen in the meantime is later.
    const { time } = this;
    const [body, person] =
      known && recount
        ? [await this.countAgain(caller, known, recount), known.person]
        : await Promise.all([load(caller), this.personOf(caller, time)]);
    const text = JSON.stringify(body);
    const etag = etagOf(text);
    const json = new PreparedJson(() => text, etag);
    if (counts && isPartial(body)) return json;
    if (counts) await this.currentViews();
    this.remember(caller, person, key, { ...this.texts!.store(text), etag, time });
    return json;
  }

  /** What was answered, while it still is what the catalogue and the person make of it; its counters may be old. */
  private find(viewer: Caller, key: string): Known | undefined {
    const person = this.people!.get(keyOf(viewer));
    if (!person || !this.isCurrent(person)) return undefined;
    const answer = person.answers.get(key);
    if (!answer || answer.time < Math.max(this.lastReset, this.lastCatalogue)) return undefined;
    const makeText = this.texts!.restore(answer);
    return makeText && { person, answer, makeText };
  }

  private async countAgain<T>(
    caller: Caller,
    { makeText }: Known,
    recount: NonNullable<Answer<T>['recount']>,
  ): Promise<T> {
    const { byTile } = await this.currentViews();
    return recount(caller, JSON.parse(makeText()) as T, byTile);
  }

  private isCurrent({ time, principals }: Person): boolean {
    return time >= this.lastReset && !this.ofPeople.isAfter(time, principals);
  }

  private isCounted({ answer: { time }, person: { principals } }: Known): boolean {
    if (this.ofTasks.isAfter(time, principals)) return false;
    const { views } = this;
    if (!views || views.time < this.lastCatalogue) return false;
    return !views.filterByLinks || time >= this.lastLinked;
  }

  /** The person as remembered, or as read from the database now. */
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

  /** The views of the tiles as remembered, or as read from the database now. */
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
    // The cache measures a person again only when it is another entry.
    this.people!.delete(keyOf(viewer));
    this.people!.set(keyOf(viewer), person);
  }

  private note(changes: Change[]): void {
    const time = ++this.time;
    for (const { kind, object, principals } of changes) {
      if (CATALOGUE.has(kind)) this.lastCatalogue = time;
      if (LINKED.has(kind)) this.lastLinked = time;
      // A table that was emptied as a whole: nobody knows whom that affects.
      if (object === null) this.lastReset = time;
      const affected = OF_TASKS.has(kind) ? this.ofTasks : this.ofPeople;
      for (const principal of principals) affected.note(principal, time);
    }
  }
}

/** The facts about a viewer that answers depend on. */
const keyOf = ({ id, locale, administrator, processEngine }: Caller): string =>
  `${id} ${locale} ${administrator} ${processEngine}`;

function prepare(body: unknown): PreparedJson {
  const text = JSON.stringify(body);
  return new PreparedJson(() => text, etagOf(text));
}

/** A character takes up to two bytes. */
const bytesOf = (key: string, { values }: Remembered): number =>
  ANSWER_BYTES + 2 * key.length + VALUE_BYTES * values.length;

/** Whether a counter took too long: the next call may have more luck. */
const isPartial = (body: unknown): boolean =>
  Array.isArray(body) &&
  (body as { applications?: { indicator: unknown }[] }[]).some(({ applications = [] }) =>
    applications.some(({ indicator }) => indicator === null),
  );
