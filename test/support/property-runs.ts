/** The number of runs of each property, if the environment sets it. */
const ASKED = process.env.PROPERTY_RUNS;

/** How long the runs of one property may take together, in milliseconds: a slow machine makes fewer of them. */
const TIME = 30_000;

/** The time limit of a test of one property: it ends its last run, and looks for the smallest counterexample. */
export const PROPERTY_TIMEOUT = ASKED === undefined ? TIME + 80_000 : 3_600_000;

/**
 * The options of fast-check for a property that calls the server.
 * @param usual how often it runs where the time suffices; PROPERTY_RUNS replaces the number, and lifts the limit of time
 */
export const propertyRuns = (
  usual: number,
): { numRuns: number; interruptAfterTimeLimit?: number } =>
  ASKED === undefined
    ? { numRuns: usual, interruptAfterTimeLimit: TIME }
    : { numRuns: Number(ASKED) };
