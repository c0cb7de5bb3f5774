import { afterAll, beforeAll } from '@jest/globals';
import { type CommandResult, runCommand } from './command-line.js';
import { type EndpointWorld, SECRETS_KEY, startEndpointWorld } from './endpoints.js';
import { type Receiver, startReceiver } from './receiver.js';
import { urlOf } from './server-process.js';

/** A server with endpoints, a receiver, and the command line on its database, for the tests of a file. */
export interface EndpointCommandLine {
  world: EndpointWorld;
  receiver: Receiver;
  run: (args: string[], input?: string) => Promise<CommandResult>;
}

/** Starts them before the tests of a file, and stops them after these. */
export function useEndpointCommandLine(): EndpointCommandLine {
  const served = {
    run: (args, input) => {
      const DATABASE_URL = urlOf(served.world.server.database.connection);
      return runCommand(args, { env: { DATABASE_URL, SECRETS_KEY }, input });
    },
  } as EndpointCommandLine;
  beforeAll(async () => {
    served.world = await startEndpointWorld();
    served.receiver = await startReceiver();
  });
  afterAll(async () => {
    await served.receiver.close();
    await served.world.server.close();
  });
  return served;
}
