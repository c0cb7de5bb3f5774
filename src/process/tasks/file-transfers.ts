import type { Request, Response } from 'express';
import { type TransferLimits, TransferPlaces } from '../../http/transfer-places.js';

/** The slowest allowed transfer: these milliseconds, plus a second for each of these bytes. */
const ALLOWANCE = 60_000;
const LEAST_RATE = 16 * 1024;

/** How often the server checks the speed and the permission of a transfer, in milliseconds. */
const CHECK = 1_000;

/** The body of a request or an answer, whose bytes are counted as they pass. */
type Pace = (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;

/**
 * Files that are sent or read in this process. The server closes the connection of a client that is too slow, so that a
 * trickle of bytes cannot hold a place.
 */
export class FileTransfers {
  private readonly places: TransferPlaces;

  constructor(limits: TransferLimits) {
    this.places = new TransferPlaces(limits);
  }

  /**
   * Takes a place until the connection closes.
   * @param check rejects when the transfer may not go on, which closes the connection
   * @throws ApiError 429 and 503 when too many are taken already
   */
  begin(
    person: { id: string },
    request: Request,
    response: Response,
    check?: () => Promise<unknown>,
  ): Pace {
    const { pace, end } = paced(response, check);
    try {
      this.places.take(person, request, response, end);
    } catch (error) {
      end();
      throw error;
    }
    return pace;
  }
}

function paced(
  response: Response,
  check?: () => Promise<unknown>,
): { pace: Pace; end: () => void } {
  const begun = performance.now();
  let bytes = 0;
  let isChecking = false;
  const checkAll = async (): Promise<void> => {
    const allowed = ALLOWANCE + (bytes / LEAST_RATE) * 1_000;
    if (performance.now() - begun > allowed) response.destroy();
    if (isChecking) return;
    isChecking = true;
    await check?.().catch(() => response.destroy());
    isChecking = false;
  };
  const timer = setInterval(() => void checkAll(), CHECK).unref();
  const pace: Pace = async function* (chunks) {
    for await (const chunk of chunks) {
      yield chunk;
      // A request for the next piece means that the former one has been stored or sent.
      bytes += chunk.length;
    }
  };
  return { pace, end: () => clearInterval(timer) };
}
