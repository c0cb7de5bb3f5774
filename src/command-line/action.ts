import { ClosedOutput, explain, Misuse } from './output.js';

/** Exit codes: done, failed, wrong usage. */
export const EXIT = { done: 0, failed: 1, misuse: 2 } as const;

/**
 * An action of commander: it runs a function, and reports its failure on standard error and by the exit code.
 * @param load imports the module of the function; only the command that runs loads what it needs
 * @param name the function
 */
export function action<Name extends string>(
  load: () => Promise<Record<Name, (...args: never[]) => Promise<void>>>,
  name: Name,
) {
  return async (...args: unknown[]): Promise<void> => {
    try {
      await (await load())[name](...(args as never[]));
    } catch (error) {
      if (error instanceof ClosedOutput) return;
      process.stderr.write(`${explain(error)}\n`);
      process.exitCode = error instanceof Misuse ? EXIT.misuse : EXIT.failed;
    }
  };
}
