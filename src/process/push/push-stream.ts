import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Request } from 'express';
import { requestTimeout, unavailable } from '../../base/errors/api-errors.js';
import { toApiError } from '../../base/errors/to-api-error.js';
import { stateOf } from '../../http/request-state.js';
import { LineReader } from './push-lines.js';
import type { Pushed } from './push.service.js';

/** Largest batch in tasks, and approximately in bytes. Each batch is a transaction. */
const BATCH = 500;
const BATCH_BYTES = 2 ** 20;

/**
 * The server stores a partial batch after a pause of this many milliseconds, because the source may be waiting for the
 * results.
 */
const PAUSE = 100;

/** How long a source may send no task (milliseconds); blank lines do not keep its place. */
const SILENCE = 20_000;

/** Most names of unknown and of inactive people in the last line. */
const MAX_UNKNOWN = 1_000;

const logger = new Logger('TaskPush');

/** How to process the items of a stream. */
export interface StreamedPush {
  isDryRun: boolean;
  /** Stores items in one transaction. */
  store: (items: unknown[]) => Promise<Pushed>;
  /** After the last item: cancels the tasks that the snapshot does not contain, and returns their number. */
  finish: () => Promise<number>;
}

/**
 * Reads the body of a request as NDJSON and answers in NDJSON: a result for each line, in order, and the sums in the
 * last line. It reads on once the client has taken the earlier results. An error ends the answer with a line of its
 * own; items without a result were not stored.
 */
export async function* answerStream(
  request: Request,
  { isDryRun, store, finish }: StreamedPush,
): AsyncGenerator<string> {
  const sums = new Sums(!isDryRun);
  try {
    for await (const items of batchesOf(request)) {
      await stateOf(request).checkAgain?.();
      const pushed = await store(items);
      sums.add(pushed);
      yield pushed.results.map((result) => `${JSON.stringify(result)}\n`).join('');
    }
    sums.cancelled += await finish();
    yield `${JSON.stringify(sums.answer())}\n`;
  } catch (error) {
    // The client has left, so no answer is needed.
    if (request.destroyed && !request.complete) return;
    const { status, body } = toApiError(error);
    if (status === 500) logger.error(error);
    yield `${JSON.stringify(body)}\n`;
  }
}

/** The sums of all batches. */
class Sums {
  cancelled = 0;
  private readonly counts = { created: 0, updated: 0, unchanged: 0, stale: 0, refused: 0 };
  private readonly names = { unknown: new Set<string>(), inactive: new Set<string>() };

  constructor(private readonly stored: boolean) {}

  add(pushed: Pushed): void {
    for (const name of Object.keys(this.counts) as (keyof typeof this.counts)[])
      this.counts[name] += pushed[name];
    for (const kind of ['unknown', 'inactive'] as const)
      for (const name of pushed[kind])
        if (this.names[kind].size < MAX_UNKNOWN) this.names[kind].add(name);
  }

  answer(): Omit<Pushed, 'results'> {
    const { stored, counts, cancelled, names } = this;
    const [unknown, inactive] = [[...names.unknown].sort(), [...names.inactive].sort()];
    return { stored, ...counts, cancelled, unknown, inactive };
  }
}

/**
 * The items of a body in batches, as they arrive. A repeated external id begins another batch, so that the later item
 * wins.
 * @throws ApiError 408 when the client sends no task for too long, 503 when the server stops
 */
async function* batchesOf(request: Request): AsyncGenerator<unknown[]> {
  const reader = new LineReader();
  const chunks = request.iterator({ destroyOnReturn: false });
  const { place } = stateOf(request);
  let batch = new Batch();
  let next = chunks.next();
  let lastTask = performance.now();
  for (;;) {
    const patience = batch.isEmpty ? lastTask + SILENCE - performance.now() : PAUSE;
    const chunk = await within(patience, next);
    if (place?.stopping.aborted) throw unavailable();
    if (chunk === undefined) {
      if (batch.isEmpty) throw requestTimeout();
    } else {
      const lines = chunk.done ? reader.end() : reader.take(chunk.value as Buffer);
      for (const { item, bytes } of lines) {
        if (batch.isFull || batch.has(item)) {
          yield batch.items;
          batch = new Batch();
        }
        batch.add(item, bytes);
      }
      if (chunk.done) {
        if (!batch.isEmpty) yield batch.items;
        return;
      }
      next = chunks.next();
      // If the client leaves while the server stores this batch, the next iteration notices.
      next.catch(() => undefined);
      if (!batch.isFull) continue;
    }
    yield batch.items;
    batch = new Batch();
    lastTask = performance.now();
  }
}

class Batch {
  readonly items: unknown[] = [];
  private readonly externalIds = new Set<unknown>();
  private bytes = 0;

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  get isFull(): boolean {
    return this.items.length >= BATCH || this.bytes >= BATCH_BYTES;
  }

  has(item: unknown): boolean {
    const externalId = externalIdOf(item);
    return externalId !== undefined && this.externalIds.has(externalId);
  }

  add(item: unknown, bytes: number): void {
    this.items.push(item);
    this.externalIds.add(externalIdOf(item));
    this.bytes += bytes;
  }
}

const externalIdOf = (item: unknown): unknown =>
  typeof item === 'object' && item !== null
    ? (item as { externalId?: unknown }).externalId
    : undefined;

/** @returns undefined when the time runs out first */
async function within<T>(limit: number, promise: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      promise,
      delay(limit, undefined, { signal: timer.signal, ref: false }),
    ]);
  } finally {
    timer.abort();
  }
}
