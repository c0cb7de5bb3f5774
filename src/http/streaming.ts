import type { IncomingMessage, ServerResponse } from 'node:http';
import { readerOf } from './connection-reader.js';
import { stateOf } from './request-state.js';

/** The event of a response whose answer goes on for as long as its client listens. */
const STREAMING = 'streaming';

/**
 * Makes an answer that takes long the last of its connection: nothing may wait behind it (docs/decisions/0009).
 */
function closeAfter(request: IncomingMessage, response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  readerOf(request.socket)?.endAfter(request);
}

/**
 * Begins a wait or a transfer that may take long. The request gives up its place, its duration does not count, and its
 * answer is the last of its connection.
 */
export function beginLongAnswer(request: IncomingMessage, response: ServerResponse): void {
  const state = stateOf(request);
  state.isWaiting = true;
  state.place?.release();
  closeAfter(request, response);
}

/**
 * Sends the head of an answer without an end. From here on the request counts as answered: it holds no place among
 * the concurrent requests, its duration is the time until now, and it is the last of its connection.
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
