import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A free port of the loopback interface, for programs that cannot choose one themselves. It is below the
 * ephemeral ports (RFC 6335 section 6; Linux: 32768 and up), because a connection of the suite could otherwise
 * take it before it is used.
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
