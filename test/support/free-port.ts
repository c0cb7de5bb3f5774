import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port of the loopback on which nobody listens, for what cannot be told to take any. It is below
 * those that a system gives to connections (RFC 6335 section 6; Linux: 32768 and up), or one of the
 * suite's own might have it before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
