import type { Request, Response } from 'express';
import { stateOf } from '../http/request-state.js';

/** Aborts when the client has left, or the server begins to stop. Meanwhile the call holds nobody else up. */
export function endOfCall(request: Request, response: Response): AbortSignal {
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
  return controller.signal;
}
