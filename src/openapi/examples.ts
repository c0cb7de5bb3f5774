import { readFileSync } from 'node:fs';

/** A call of an operation and its answer, recorded from a running server. */
export interface Example {
  body?: unknown;
  answer?: unknown;
  /** The same list with responseMode=user. */
  displayed?: unknown;
}

/** Written by `npm run docs:examples`. */
const EXAMPLES = JSON.parse(
  readFileSync(new URL('examples.json', import.meta.url), 'utf8'),
) as Record<string, Example>;

/** The example of an operation; empty when it has none. */
export const exampleOf = (operationId: string): Example => EXAMPLES[operationId] ?? {};
