import { explain, Misuse } from './output.js';

/** Exit codes: done, failed, wrong usage. */
export const EXIT = { done: 0, failed: 1, misuse: 2 } as const;

/** Runs a command and reports its failure on standard error and by the exit code. */
export function action<T extends unknown[]>(work: (...args: T) => Promise<void>) {
  return async (...args: T): Promise<void> => {
    try {
      await work(...args);
    } catch (error) {
      process.stderr.write(`${explain(error)}\n`);
      process.exitCode = error instanceof Misuse ? EXIT.misuse : EXIT.failed;
    }
  };
}
