import { setImmediate as nextTurn } from 'node:timers/promises';
import { readerOf } from './connection-reader.js';
import type { Step } from './step.js';

/** The turn of the event loop in which the latest of the waiting requests starts. */
let latestTurn: Promise<void> = Promise.resolve();

/**
 * Starts pipelined requests (RFC 9112 section 9.3.2) one after another: if all of them started together, one connection
 * could take every slot of the limiter. Node gives a response its socket once the responses before it are sent. Each
 * turn of the event loop starts one waiting request over all connections: Node accepts one connection per turn, and
 * long turns would delay new callers (docs/decisions/0009).
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
