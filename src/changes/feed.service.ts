import { Injectable } from '@nestjs/common';
import { KeyedLimiter } from '../base/concurrency/keyed-limiter.js';
import { ConcurrencyLimiter } from '../base/concurrency/limiter.js';
import type { Position } from '../journal/position.js';
import type { Copies } from '../resources/list/copies.js';
import { ResourceReader } from '../resources/resource-reader.js';
import type { Resource } from '../resources/resource.js';
import { uriOf } from '../resources/uri.js';
import type { Cursor, Place } from './cursor.js';
import {
  type Consumer,
  JournalReader,
  requireSameRights,
  type Standing,
} from './journal-reader.service.js';
import { KINDS } from './kinds.js';
import { rightsSql, seesAll } from './rights.js';
import type { ChangedObject } from './take-objects.js';

/** The state of an object that the consumer sees, or a tombstone for one that it no longer has. */
export type FeedItem =
  | {
      kind: string;
      id: string;
      uri: string;
      state: 'current';
      revision: number;
      object: Record<string, unknown>;
    }
  | { kind: string; id: string; uri: string; state: 'deleted' | 'out-of-sight' };

/** One page of the feed. */
export interface FeedPage {
  items: FeedItem[];
  next: Cursor;
  /** The page includes every change that was committed before the call. */
  upToDate: boolean;
  /** The users, groups and organizations that the caller belongs to, and those for whom the caller stands in. */
  principals: string[];
}

/** The limits of a page. */
export interface PageSize {
  objects: number;
  /** Approximate number of bytes. The page contains at least one object of each kind. */
  bytes: number;
}

/**
 * Most concurrent reads of pages in a process, and how long the others wait (milliseconds), so that a change for
 * thousands of waiting consumers leaves connections for other calls.
 */
const READS_AT_ONCE = { maxConcurrent: 4, maxQueued: 5_000, queueTimeout: 10_000 };

/**
 * Most concurrent reads of one account. Its queue has places for all its open calls; a full listing takes one place.
 */
const READS_OF_ONE = { ...READS_AT_ONCE, maxConcurrent: 1 };

/**
 * The feed of changes (docs/decisions/0034): the latest state of each object that has changed after a cursor, or, without
 * a cursor, of every object.
 */
@Injectable()
export class FeedService {
  private readonly reads = new ConcurrencyLimiter(READS_AT_ONCE);
  private readonly readsOf = new KeyedLimiter(READS_OF_ONE);

  constructor(
    private readonly journal: JournalReader,
    private readonly reader: ResourceReader,
  ) {}

  /**
   * Reads the next page.
   * @throws ApiError 410 for a cursor that cannot be continued, 429 or 503 when it waits too long for other reads of
   * the account or of the process
   */
  page(consumer: Consumer, cursor: Cursor | undefined, size: PageSize): Promise<FeedPage> {
    const read = (): Promise<FeedPage> => this.read(consumer, cursor, size);
    return this.readsOf.run(consumer.caller.id, (waited) => this.reads.run(read, waited));
  }

  private read(consumer: Consumer, cursor: Cursor | undefined, size: PageSize): Promise<FeedPage> {
    if (!cursor) return this.begin(consumer, size);
    return cursor.listed
      ? this.continueListing(consumer, { ...cursor, listed: cursor.listed }, size)
      : this.changes(consumer, cursor, size);
  }

  /** Takes the position first, so that a change during the listing counts as a change after it. */
  private async begin(consumer: Consumer, size: PageSize): Promise<FeedPage> {
    const standing = await this.journal.standing(consumer);
    const { journal, rights, position, principals } = standing;
    const listing = {
      caller: consumer.caller.id,
      kinds: consumer.kinds.map((resource) => KINDS.indexOf(resource)),
      ...{ journal, rights, time: now(), from: position },
      listed: { kind: 0, after: '0' },
    };
    const { items, next } = await this.listObjects(consumer, listing, size);
    return { items, next, upToDate: standing.isComplete && !next.listed, principals };
  }

  private async continueListing(
    consumer: Consumer,
    cursor: ListingCursor,
    size: PageSize,
  ): Promise<FeedPage> {
    const [{ principals }, { items, next }] = await Promise.all([
      this.journal.standing(consumer, cursor),
      this.listObjects(consumer, cursor, size),
    ]);
    return { items, next, upToDate: false, principals };
  }

  /** Lists objects in the order of their kinds and ids. */
  private async listObjects(
    consumer: Consumer,
    cursor: ListingCursor,
    size: PageSize,
  ): Promise<Pick<FeedPage, 'items' | 'next'>> {
    const { listed, ...ended } = cursor;
    const items: FeedItem[] = [];
    let { kind, after } = listed;
    for (; kind < consumer.kinds.length; kind++, after = '0') {
      const missing = size.objects - items.length;
      const resource = consumer.kinds[kind]!;
      // One more than missing shows whether there are more.
      const read = await this.copies(consumer, resource, { after, count: missing + 1 }, size);
      requireSameRights(cursor.rights, read.witness);
      const shown = read.copies.slice(0, missing);
      items.push(...shown.map((copy) => currentItem(resource, copy)));
      if (read.copies.length + read.left.length > shown.length)
        return { items, next: { ...ended, listed: { kind, after: shown.at(-1)?.id ?? after } } };
    }
    return { items, next: ended };
  }

  private async changes(consumer: Consumer, cursor: Cursor, size: PageSize): Promise<FeedPage> {
    const page = await this.journal.page(consumer, cursor, size.objects);
    const { standing } = page;
    const { items, cut } = await this.statesOf(consumer, page.objects, standing, size);
    return {
      items,
      next: continued(cursor, standing, page.until, cut ?? page.last),
      upToDate: !cursor.until && !cut && !page.last && standing.isComplete,
      principals: standing.principals,
    };
  }

  /** The states of changed objects, in order, as far as they fit. It runs one statement per kind. */
  private async statesOf(
    consumer: Consumer,
    objects: ChangedObject[],
    standing: Standing,
    size: PageSize,
  ): Promise<{ items: FeedItem[]; cut: Place | undefined }> {
    const kinds = consumer.kinds.filter(({ name }) => objects.some(({ kind }) => kind === name));
    const states = new Map<string, FeedItem | 'left'>();
    await Promise.all(
      kinds.map(async (resource) => {
        const ids = objects.filter(({ kind }) => kind === resource.name).map(({ id }) => id);
        const read = await this.copies(consumer, resource, { ids }, size);
        requireSameRights(standing.rights, read.witness);
        for (const copy of read.copies)
          states.set(`${resource.name} ${copy.id}`, currentItem(resource, copy));
        for (const id of read.left) states.set(`${resource.name} ${id}`, 'left');
      }),
    );
    const items: FeedItem[] = [];
    for (const object of objects) {
      const state = states.get(`${object.kind} ${object.id}`);
      if (state === 'left' && object.before)
        return { items: items.slice(0, firstOfRow(objects, object)), cut: object.before };
      if (state !== 'left') items.push(state ?? tombstone(consumer, object));
      // The views of one application exceed the page: the next page continues with them at the same row.
      else {
        const rest = objects.slice(items.length);
        const others = await this.statesOf(consumer, rest, standing, size);
        return { items: [...items, ...others.items], cut: others.cut };
      }
    }
    return { items, cut: undefined };
  }

  private copies(
    consumer: Consumer,
    resource: Resource,
    wanted: { ids: string[] } | { after: string; count: number },
    size: PageSize,
  ): Promise<Copies> {
    const { caller, kinds } = consumer;
    const witness = rightsSql(kinds, caller, ':viewer');
    const maxBytes = Math.floor(size.bytes / kinds.length);
    return this.reader.copies({ resource, caller, wanted, witness, maxBytes });
  }
}

type ListingCursor = Cursor & { listed: NonNullable<Cursor['listed']> };

const now = (): number => Math.floor(Date.now() / 1000);

/** The cursor after a page of changes: within the pages up to `until`, or at `until`. */
function continued(
  cursor: Cursor,
  { journal, rights }: Standing,
  until: Position,
  last: Place | undefined,
): Cursor {
  const time = cursor.until ? cursor.time : now();
  const { caller, kinds, from } = cursor;
  const common = { caller, kinds, journal, rights, time };
  return last
    ? { ...common, from, until: { position: until, after: last } }
    : { ...common, from: until };
}

/** The index of the first object that belongs to the same row of the journal as this one. */
const firstOfRow = (objects: ChangedObject[], { before }: ChangedObject): number =>
  objects.findIndex((object) => object.before === before);

const currentItem = (
  { name, ref }: Resource,
  { id, revision, representation }: Copies['copies'][number],
): FeedItem => ({
  kind: name,
  id,
  uri: uriOf(ref.uri, id),
  state: 'current',
  revision,
  object: representation,
});

/** For a caller who does not see every object of the kind, deleted and hidden objects look the same. */
function tombstone({ kinds, caller }: Consumer, { kind, id }: ChangedObject): FeedItem {
  const resource = kinds.find(({ name }) => name === kind)!;
  const state = seesAll(resource, caller) ? 'deleted' : 'out-of-sight';
  return { kind, id, uri: uriOf(resource.ref.uri, id), state };
}
