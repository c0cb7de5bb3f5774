import type { ServerResponse } from 'node:http';
import { ByteBudget } from './byte-budget.js';
import type { Step } from './step.js';

/** How long a client may pause while it reads an answer, and how long reading may take (milliseconds). */
const SILENCE_TIMEOUT = 10_000;
const SENDING_TIMEOUT = 60_000;

/** Most bytes of unsent answers in this process; each takes several times its size until it is sent. */
const MAX_UNSENT_BYTES = 32 * 2 ** 20;
const unsent = new ByteBudget(MAX_UNSENT_BYTES);

/**
 * Closes connections whose client reads slowly: after a pause, and when reading an answer takes too long. When the
 * memory for unsent answers is used up, it closes the connection that has been reading for longest. The time-outs start
 * with the complete answer, because making it may take longer than a client may pause.
 */
export const closeStalledReaders: Step = (_request, response, next) => {
  response.once('prefinish', () => limitSending(response));
  next();
};

function limitSending(response: ServerResponse): void {
  const { socket } = response;
  if (!socket) return;
  socket.setTimeout(SILENCE_TIMEOUT);
  if (socket.writableLength === 0) return;
  const close = (): void => void socket.destroy();
  const holding = unsent.take(socket.writableLength, close);
  const deadline = setTimeout(close, SENDING_TIMEOUT).unref();
  response.once('close', () => {
    clearTimeout(deadline);
    holding?.release();
  });
}
