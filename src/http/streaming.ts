import type { IncomingMessage, ServerResponse } from 'node:http';
import { readerOf } from './connection-reader.js';
import { stateOf } from './request-state.js';

/** The event of a response that begins to stream. */
const STREAMING = 'streaming';

/** Makes a long answer the last of its connection, so that no request waits behind it (docs/decisions/0009). */
function closeAfter(request: IncomingMessage, response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  readerOf(request.socket)?.endAfter(request);
}

/**
 * Begins a long wait or transfer. The request frees its place, its duration does not count, and its answer is the last
 * of its connection.
 */
export function beginLongAnswer(request: IncomingMessage, response: ServerResponse): void {
  const state = stateOf(request);
  state.isWaiting = true;
  state.place?.release();
  closeAfter(request, response);
}

/**
 * Sends the head of a stream. From here on, the request counts as answered: it holds no place among the concurrent
 * requests, its duration ends now, and its answer is the last of its connection.
 */
export function beginStream(response: ServerResponse): void {
  closeAfter(response.req, response);
  response.flushHeaders();
  response.emit(STREAMING);
}

/**
 * Calls a listener once: when the response begins to stream, otherwise at an event of its end.
 * @param event the event at which an ordinary answer counts as answered
 */
export function onceAnswered(
  response: ServerResponse,
  event: 'prefinish' | 'finish' | 'close',
  listener: () => void,
): void {
  const answered = (): void => {
    response.off(STREAMING, answered);
    response.off(event, answered);
    listener();
  };
  response.once(STREAMING, answered);
  response.once(event, answered);
}
