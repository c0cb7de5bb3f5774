import type { Step } from './step.js';

/**
 * Starts pipelined requests (RFC 9112 section 9.3.2) one after another: if all of them started together,
 * one connection could take every slot of the limiter. Node gives a response its socket once the responses
 * before it are sent.
 */
export const serializePipelined: Step = (_request, response, next) => {
  if (response.socket) next();
  else response.once('socket', () => process.nextTick(next));
};
