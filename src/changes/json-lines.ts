import { Logger } from '@nestjs/common';
import { ApiError } from '../base/errors/api-errors.js';
import type { Cursor } from './cursor.js';
import type { FeedPage } from './feed.service.js';
import type { FeedSession } from './feed-session.js';

/** Longest duration of one answer, in milliseconds. Its last line has the cursor from which to continue. */
const MAX_DURATION = 240_000;

const logger = new Logger('Changes');

/**
 * The text of an answer as NDJSON: an object per line, and the cursor in the last line. It reads the next page once the
 * client has taken most of the last one. An interruption ends the answer with the cursor of the last complete page; the
 * next call then reports the reason.
 * @param goesOn whether pages follow until the consumer is up to date
 */
export async function* linesOf(
  session: FeedSession,
  first: FeedPage,
  sign: (cursor: Cursor) => Promise<string>,
  goesOn: boolean,
): AsyncGenerator<string> {
  const started = performance.now();
  let page = first;
  for (;;) {
    if (page.items.length > 0) yield page.items.map((item) => `${JSON.stringify(item)}\n`).join('');
    const isLong = performance.now() - started > MAX_DURATION;
    if (!goesOn || page.upToDate || session.isEnded || isLong) break;
    const next = await nextPage(session, page.next);
    if (!next) break;
    page = next;
  }
  yield `${JSON.stringify({ next: await sign(page.next), upToDate: page.upToDate })}\n`;
}

async function nextPage(session: FeedSession, cursor: Cursor): Promise<FeedPage | undefined> {
  try {
    await session.check();
    return await session.page(cursor);
  } catch (error) {
    if (!(error instanceof ApiError)) logger.error(error);
    return undefined;
  }
}
