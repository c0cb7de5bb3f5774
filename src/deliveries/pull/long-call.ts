import type { Request, Response } from 'express';
import { stateOf } from '../../http/request-state.js';
import { beginLongAnswer } from '../../http/streaming.js';
import { type Caller, requireCaller } from '../../security/caller.js';

/** The context of a call that may wait for long. */
export interface LongCall {
  /**
   * The present state of the caller.
   * @throws ApiError 401 or 403 when a new call would get this answer
   */
  callerAgain: () => Promise<Caller>;
  /** Aborts when the client has left, or the server begins to stop. */
  end: AbortSignal;
}

/**
 * Lets a call wait, and frees its place meanwhile.
 * @param wait the longest wait in milliseconds; 0 for an ordinary call
 */
export function longCall(request: Request, response: Response, wait: number): LongCall {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const state = stateOf(request);
  if (wait > 0) beginLongAnswer(request, response);
  const stopping = state.place?.stopping;
  if (stopping?.aborted || response.destroyed) abort();
  stopping?.addEventListener('abort', abort, { once: true });
  response.once('close', () => {
    stopping?.removeEventListener('abort', abort);
    abort();
  });
  const callerAgain = async (): Promise<Caller> => {
    await state.checkAgain?.();
    return requireCaller(request);
  };
  return { callerAgain, end: controller.signal };
}
