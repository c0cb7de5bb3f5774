import { explain } from './output.js';

/** Runs a command; what goes wrong is one line on standard error and exit code 1. */
export function action<T extends unknown[]>(work: (...args: T) => Promise<void>) {
  return async (...args: T): Promise<void> => {
    try {
      await work(...args);
    } catch (error) {
      process.stderr.write(`${explain(error)}\n`);
      process.exitCode = 1;
    }
  };
}
