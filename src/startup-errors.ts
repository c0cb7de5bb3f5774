import { ConfigError } from './base/config/config.js';
import { explainUnreachableDatabase } from './base/errors/database-errors.js';

/** `variable` and `host` name the environment variables of the port and the address; PORT and HOST by default. */
type SystemError = NodeJS.ErrnoException & {
  address?: string;
  port?: number;
  variable?: string;
  host?: string;
};

/** Why the server cannot listen, by the code of the operating system. */
const LISTEN_PROBLEMS: Record<string, (error: SystemError) => string> = {
  EADDRINUSE: ({ port, address, variable = 'PORT' }) =>
    `The port ${port} on ${address} is taken: stop what uses it, or set ${variable}.`,
  EACCES: ({ port, address, variable = 'PORT' }) =>
    `The port ${port} on ${address} needs privileges that this user lacks: set ${variable} to 1024 or above.`,
  EADDRNOTAVAIL: ({ address, host = 'HOST' }) =>
    `The address ${address} is not an address of this host: check ${host}.`,
};

/** Explains in one message why the server cannot start. Only unexpected errors show a stack. */
export function explainStartupError(error: unknown): string {
  if (error instanceof ConfigError)
    return `Some environment variables are invalid:\n${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const { code = '', syscall } = error as SystemError;
  const listening = syscall === 'listen' || syscall === 'bind' ? LISTEN_PROBLEMS[code] : undefined;
  if (listening) return listening(error);
  return explainUnreachableDatabase(error) ?? `The server cannot start: ${error.message}`;
}
