import type { ServerResponse } from 'node:http';

/** The event of a response whose answer goes on for as long as its client listens. */
const STREAMING = 'streaming';

/**
 * Sends the head of an answer without an end. From here on the request counts as answered: it holds no place among
 * the concurrent requests, and its duration is the time until now.
 */
export function beginStream(response: ServerResponse): void {
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
