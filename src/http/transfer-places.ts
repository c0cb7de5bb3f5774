import type { Request, Response } from 'express';
import { tooManyRequests, unavailable } from '../base/errors/api-errors.js';
import { beginLongAnswer } from './streaming.js';
import { reason } from '../base/errors/reason.js';

/** Seconds after which a rejected caller may retry. */
const RETRY_AFTER = 5;

/** How long a client may neither send nor read, in milliseconds. */
const SILENCE = 30_000;

export interface TransferLimits {
  /** Most transfers at the same time in this process, and those of one account. */
  all: number;
  ofOne: number;
  /** The reason for rejecting an account with too many transfers. */
  reason: 'too-many-uploads' | 'too-many-downloads' | 'too-many-pushes';
}

/**
 * The places of long transfers in this process, i.e. of bodies and answers whose client decides how long they take.
 * Each holds memory or a connection to the database, so there are few of them, and fewer for each account.
 */
export class TransferPlaces {
  /** The ids of the accounts that hold places, one for each place. */
  private readonly taken: string[] = [];

  constructor(private readonly limits: TransferLimits) {}

  /**
   * Takes a place until the connection closes. Meanwhile, the request frees its place among the concurrent ones.
   * @param left called when the connection closes
   * @throws ApiError 429 and 503 when too many are taken already
   */
  take(
    { id }: { id: string },
    request: Request,
    response: Response,
    left: () => void = () => undefined,
  ): void {
    const { taken, limits } = this;
    if (taken.filter((one) => one === id).length >= limits.ofOne)
      throw tooManyRequests(RETRY_AFTER, reason(limits.reason, { max: limits.ofOne }));
    if (taken.length >= limits.all) throw unavailable(RETRY_AFTER);
    taken.push(id);
    const leave = (): void => {
      taken.splice(taken.indexOf(id), 1);
      left();
    };
    // A client that left during the checks has closed its connection already.
    if (response.closed) leave();
    else response.once('close', leave);
    beginLongAnswer(request, response);
    response.setTimeout(SILENCE);
  }
}
