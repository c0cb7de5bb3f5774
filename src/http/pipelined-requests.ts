import { readerOf } from './connection-reader.js';
import type { Step } from './step.js';

/**
 * Starts pipelined requests (RFC 9112 section 9.3.2) one after another: if all of them started together,
 * one connection could take every slot of the limiter. Node gives a response its socket once the responses
 * before it are sent. Between two of them other connections have their turn.
 */
export const serializePipelined: Step = (request, response, next) => {
  if (response.socket) return next();
  const reader = readerOf(request.socket);
  reader?.queue();
  response.once('socket', () => {
    reader?.dequeue();
    setImmediate(() => {
      if (!request.socket.destroyed) next();
    });
  });
};
