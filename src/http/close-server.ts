import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

/**
 * How long requests in flight may take once the server accepts no more connections, and the same after Ctrl-C, in
 * milliseconds.
 */
const FINISH_TIMEOUT = 7_000;
const URGENT_FINISH_TIMEOUT = 500;

/**
 * Stops accepting connections, closes idle ones, and waits for a bounded time until the requests on the others are
 * answered.
 * @param plainHttp the socket that listens beside the HTTPS of `server`; its connections belong to `server`
 * @param urgent aborts when a person waits for the end
 */
export async function closeServer(
  server: HttpServer,
  plainHttp: Server | undefined,
  urgent: AbortSignal,
): Promise<void> {
  // The system resets connections that wait to be accepted: this turn of the event loop begins with none.
  await nextTurn();
  const finished = Promise.all(
    [server, ...(plainHttp ? [plainHttp] : [])].map(
      (one) => new Promise((resolve) => one.close(resolve)),
    ),
  );
  const late = delay(FINISH_TIMEOUT, undefined, { ref: false, signal: urgent }).catch(() =>
    delay(URGENT_FINISH_TIMEOUT, undefined, { ref: false }),
  );
  await Promise.race([finished, late]);
  server.closeAllConnections();
}
