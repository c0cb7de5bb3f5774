import { Readable } from 'node:stream';
import { Controller, Get, Req, Res, StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { prefersType } from '../http/accept.js';
import { AnyParameters, Produces } from '../http/request-format.guard.js';
import { stateOf } from '../http/request-state.js';
import { JSON_LINES_TYPE, JSON_TYPE } from '../http/route-facts.js';
import { beginLongAnswer } from '../http/streaming.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { queryParameter } from '../resources/openapi/parameters.js';
import { type Caller, CurrentCaller, requireCaller } from '../security/caller.js';
import { CHANGE_LINE, CHANGES } from './changes.schemas.js';
import type { Cursor } from './cursor.js';
import { CursorsService } from './cursors.service.js';
import { type FeedItem, FeedService, type PageSize } from './feed.service.js';
import { FeedSession, interestOf } from './feed-session.js';
import { linesOf } from './json-lines.js';
import { KINDS } from './kinds.js';
import {
  DEFAULT_LIMIT,
  type FeedRequest,
  MAX_LIMIT,
  MAX_WAIT,
  parseFeedRequest,
} from './parse-feed-request.js';
import { WaitingConsumers } from './waiting-consumers.js';

/** Approximate size in bytes of a page, and of a block of a stream, of which two may be in memory. */
const PAGE_BYTES = 8 * 2 ** 20;
const BLOCK_BYTES = 2 * 2 ** 20;

/** Objects of a block. */
const BLOCK = 500;

/** The longest pause of a stream's client, and the longest duration of a stream (milliseconds). */
const SILENCE_TIMEOUT = 20_000;
const STREAM_TIMEOUT = 300_000;

/** A page of the feed (docs/api-contract.md#changes). */
interface Changes {
  changes: FeedItem[];
  next: string;
  upToDate: boolean;
}

/** The feed of changes, for consumers that keep a copy of the data (docs/decisions/0034). */
@Controller('api/v2/changes')
export class ChangesController {
  constructor(
    private readonly feed: FeedService,
    private readonly waiting: WaitingConsumers,
    private readonly cursors: CursorsService,
  ) {}

  @ApiOperation({
    operationId: 'listChanges',
    tag: 'Changes',
    summary: 'List what has changed after a cursor, or everything without one',
    description:
      'Each object comes with its latest state, or as a tombstone. As NDJSON, an answer without limit goes on until the consumer is up to date.',
    parameters: [
      queryParameter('kinds', `separated by commas: ${KINDS.map(({ name }) => name).join(', ')}`, {
        required: true,
        example: 'categories,applications',
      }),
      queryParameter('after', 'the cursor of the previous answer; without it everything is listed'),
      queryParameter('limit', 'how many objects a page has at most', {
        schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
      }),
      queryParameter('wait', 'how many seconds to wait for a change when there is none', {
        schema: { type: 'integer', minimum: 0, maximum: MAX_WAIT, default: 0 },
      }),
    ],
    answer: CHANGES,
    otherAnswers: { [JSON_LINES_TYPE]: CHANGE_LINE },
    errors: [410],
  })
  @Get()
  @AnyParameters()
  @Produces(JSON_TYPE, JSON_LINES_TYPE)
  async list(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Changes | StreamableFile> {
    const { place } = stateOf(request);
    // Frees the place of the call: pages have their own limit, and waiting consumers must not delay other calls.
    place?.release();
    const asked = await parseFeedRequest(request, caller, this.cursors);
    const { cursor, limit, wait } = asked;
    if (cursor) this.waiting.observeLag(Date.now() / 1000 - cursor.time);
    const isStream = prefersType(request.headers.accept, JSON_LINES_TYPE, JSON_TYPE);
    if (wait > 0 || isStream) beginLongAnswer(request, response);
    const session = this.openSession(asked, isStream, request, response);
    const page = await session.pageWithin(request.method === 'HEAD' ? 0 : wait * 1000, cursor);
    if (place?.stopping.aborted) response.setHeader('Connection', 'close');
    const sign = (next: Cursor): Promise<string> => this.cursors.sign(next);
    if (!isStream)
      return { changes: page.items, next: await sign(page.next), upToDate: page.upToDate };
    limitStream(response);
    const lines = linesOf(session, page, sign, limit === undefined);
    return new StreamableFile(Readable.from(lines, { highWaterMark: 1 }), {
      type: JSON_LINES_TYPE,
    });
  }

  /** @throws ApiError 429 when the caller has too many open calls */
  private openSession(
    { kinds, limit }: FeedRequest,
    isStream: boolean,
    request: Request,
    response: Response,
  ): FeedSession {
    const caller = requireCaller(request);
    // What a confined role shows can change without a change of the object, so the feed leaves it out.
    const consumer = { kinds, caller: { ...caller, rights: caller.rights.everywhere } };
    const call = this.waiting.open(interestOf(consumer));
    const size: PageSize = isStream
      ? { objects: limit ?? BLOCK, bytes: BLOCK_BYTES }
      : { objects: limit ?? DEFAULT_LIMIT, bytes: PAGE_BYTES };
    const end = endOf(request, response, () => this.waiting.close(call));
    const check = async (): Promise<void> => stateOf(request).checkAgain?.();
    return new FeedSession(this.feed, this.waiting, { call, consumer, size, check, end });
  }
}

/** Aborts when the client has left, or the server begins to stop. */
function endOf(request: Request, response: Response, left: () => void): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const stopping = stateOf(request).place?.stopping;
  const leave = (): void => {
    stopping?.removeEventListener('abort', abort);
    abort();
    left();
  };
  if (stopping?.aborted) abort();
  stopping?.addEventListener('abort', abort);
  if (response.destroyed) leave();
  else response.once('close', leave);
  return controller.signal;
}

/** Ends a stream whose client does not read it. */
function limitStream(response: Response): void {
  response.setTimeout(SILENCE_TIMEOUT);
  const timer = setTimeout(() => response.destroy(), STREAM_TIMEOUT).unref();
  response.once('close', () => clearTimeout(timer));
}
