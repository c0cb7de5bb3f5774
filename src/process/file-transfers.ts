import type { Request, Response } from 'express';
import { tooManyRequests, unavailable } from '../errors/api-errors.js';
import { stateOf } from '../http/request-state.js';

/** Seconds after which a person with too many may try again. */
const RETRY_AFTER = 5;

/** How long a client may pause while it sends or reads a file, in milliseconds. */
const SILENCE = 30_000;

/** The slowest transfer: it has these milliseconds, and a second more for each of these bytes. */
const ALLOWANCE = 60_000;
const LEAST_RATE = 16 * 1024;

/** How often a transfer is held against the slowest one, in milliseconds. */
const CHECK = 1_000;

interface Places {
  /** Most files at the same time in this process, and those of one person. */
  all: number;
  ofOne: number;
  /** What people do with them, for the message. */
  verb: 'send' | 'read';
}

/** The body of a request or an answer, whose bytes are counted as they pass. */
type Pace = (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;

/**
 * The places of files that are sent or read in this process. A slow client holds a place and memory: there are a few of
 * them, and who is too slow loses the connection, so that nobody holds a place for ever by a byte now and then.
 */
export class FileTransfers {
  /** The ids of those whose files are under way, one for each file. */
  private readonly people: string[] = [];

  constructor(private readonly places: Places) {}

  /**
   * Takes a place until the connection closes.
   * @throws ApiError 429 and 503 when too many are taken already
   */
  begin({ id }: { id: string }, request: Request, response: Response): Pace {
    const { people, places } = this;
    if (people.filter((one) => one === id).length >= places.ofOne)
      throw tooManyRequests(
        RETRY_AFTER,
        `a person may ${places.verb} ${places.ofOne} files at once`,
      );
    if (people.length >= places.all) throw unavailable(RETRY_AFTER);
    people.push(id);
    const { pace, end } = breakOffWhenSlow(response);
    const leave = (): void => {
      people.splice(people.indexOf(id), 1);
      end();
    };
    // A client that left during the checks has closed its connection already.
    if (response.closed) leave();
    else response.once('close', leave);
    const state = stateOf(request);
    state.isWaiting = true;
    state.place?.release();
    response.setTimeout(SILENCE);
    return pace;
  }
}

function breakOffWhenSlow(response: Response): { pace: Pace; end: () => void } {
  const begun = performance.now();
  let bytes = 0;
  const check = setInterval(() => {
    const allowed = ALLOWANCE + (bytes / LEAST_RATE) * 1_000;
    if (performance.now() - begun > allowed) response.destroy();
  }, CHECK).unref();
  const pace: Pace = async function* (chunks) {
    for await (const chunk of chunks) {
      yield chunk;
      // Asked for more: the former one has been stored, or taken by the connection.
      bytes += chunk.length;
    }
  };
  return { pace, end: () => clearInterval(check) };
}
