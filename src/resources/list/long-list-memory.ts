import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Row } from '../../database/database.js';
import { ApiError } from '../../errors/api-errors.js';
import { ReadBarrier } from '../../journal/read-barrier.js';
import { readsUnrecorded } from '../../journal/unrecorded.js';
import type { Statement } from './list-sql.js';

/** How much of what long lists read is kept, in bytes, and the largest page of them. */
const MAX_BYTES = 16 * 2 ** 20;
const MAX_PAGE_BYTES = 2 ** 20;

/**
 * What long lists have read, for as long as nothing changes in the database: those who ask for the same list share one
 * read. The read barrier makes it as new as the database (docs/decisions/0032, 0036).
 */
@Injectable()
export class LongListMemory {
  /** Lists that were read by another call, and that were not, since the start. */
  readonly lookups = { hits: 0, misses: 0 };

  private readonly pages = new LRUCache<string, Row[]>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_PAGE_BYTES,
    sizeCalculation: (rows, key) => key.length + JSON.stringify(rows).length,
  });
  /** Reads that have begun since the last change. */
  private reads = new Map<string, Promise<Row[]>>();

  constructor(private readonly barrier: ReadBarrier) {
    const forget = (): void => {
      this.pages.clear();
      this.reads = new Map();
    };
    barrier.subscribe({ changed: forget, reset: forget });
  }

  /**
   * The rows of a statement.
   * @param read reads them from the database
   * @throws what `read` throws
   */
  async rows({ text, values }: Statement, read: () => Promise<Row[]>): Promise<Row[]> {
    const key = JSON.stringify([text, values]);
    const isKept = !readsUnrecorded(text) && (await this.barrier.pass());
    const known = isKept ? (this.pages.get(key) ?? (await this.sharedRead(key))) : undefined;
    if (known) {
      this.lookups.hits++;
      return known;
    }
    this.lookups.misses++;
    return isKept ? this.readAndKeep(key, read) : read();
  }

  /** What somebody else is reading; undefined where nobody is, or was refused, as one who runs too many searches. */
  private async sharedRead(key: string): Promise<Row[] | undefined> {
    for (let reading; (reading = this.reads.get(key));)
      try {
        return await reading;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    return undefined;
  }

  private async readAndKeep(key: string, read: () => Promise<Row[]>): Promise<Row[]> {
    const { reads } = this;
    const reading = read();
    reads.set(key, reading);
    try {
      const rows = await reading;
      if (reads === this.reads) this.pages.set(key, rows);
      return rows;
    } finally {
      if (reads.get(key) === reading) reads.delete(key);
    }
  }
}
