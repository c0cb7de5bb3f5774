import type { Request, Response } from 'express';
import { stateOf } from '../http/request-state.js';
import { type Caller, requireCaller } from '../security/caller.js';

/** What a call needs that may wait for long. */
export interface LongCall {
  /** The caller as of now. @throws ApiError 401 or 403 when the call would be refused now */
  callerAgain: () => Promise<Caller>;
  /** Aborts when the client has left, or the server begins to stop. */
  end: AbortSignal;
}

/** Lets a call wait, which holds nobody else up meanwhile. */
export function longCall(request: Request, response: Response): LongCall {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const state = stateOf(request);
  state.place?.release();
  state.isWaiting = true;
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
