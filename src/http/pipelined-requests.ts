import { setImmediate as nextTurn } from 'node:timers/promises';
import { readerOf } from './connection-reader.js';
import type { Step } from './step.js';

/** The turn of the event loop in which the latest of the waiting requests starts. */
let latestTurn: Promise<void> = Promise.resolve();

/**
 * Starts pipelined requests (RFC 9112 section 9.3.2) one after another: if all of them started together,
 * one connection could take every slot of the limiter. Node gives a response its socket once the responses
 * before it are sent. Of all that waited, whatever their connection, one starts in a turn of the event loop: Node
 * accepts one connection a turn, and long turns would keep new callers out (docs/decisions/0009).
 */
export const serializePipelined: Step = (request, response, next) => {
  if (response.socket) return next();
  const reader = readerOf(request.socket);
  reader?.queue();
  response.once('socket', () => {
    reader?.dequeue();
    latestTurn = latestTurn.then(() => nextTurn());
    void latestTurn.then(() => {
      if (!request.socket.destroyed) next();
    });
  });
};
