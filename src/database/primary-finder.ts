import { Socket } from 'node:net';
import pg from 'pg';

/** How long the answer holds, in milliseconds: clients that connect together search once. */
const FRESH = 200;

/** Finds the primary among several hosts, so that a failover needs no proxy in front of the database. */
export class PrimaryFinder {
  private found: Promise<pg.Client> | undefined;

  /** @param options of a client for each host */
  constructor(private readonly options: pg.ClientConfig[]) {}

  /** A socket that connects to the primary of this moment, whatever address it is given. */
  readonly socket = (): Socket => {
    const socket = new Socket();
    const connect = socket.connect.bind(socket);
    const connectToPrimary = (): Socket => {
      this.find().then(
        ({ host, port }) => socket.destroyed || connect(port, host),
        (error: Error) => socket.destroy(error),
      );
      return socket;
    };
    return Object.assign(socket, { connect: connectToPrimary });
  };

  /** @throws Error of the first host when none is a primary */
  private find(): Promise<pg.Client> {
    const forget = () => setTimeout(() => (this.found = undefined), FRESH).unref();
    if (!this.found) {
      this.found = Promise.any(this.options.map(askWhetherPrimary)).catch(
        ({ errors }: AggregateError) => {
          throw errors[0];
        },
      );
      this.found.then(forget, forget);
    }
    return this.found;
  }
}

/** Connects to a host. @throws Error when it cannot be reached, or is no primary */
async function askWhetherPrimary(options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(options);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean }>(
      'SELECT pg_is_in_recovery() AS standby',
    );
    if (rows[0]!.standby)
      throw new Error('Connection terminated: every host that answers is a standby');
    return client;
  } finally {
    client.end().catch(() => undefined);
  }
}
