import { conflict, internalError, invalid, Refusal, unavailable } from './refusals.js';

/** SQLSTATE (or its class of two characters) to the answer; the net below our own validation. */
const ANSWERS: Record<string, () => Refusal> = {
  // Data that no column can take
  '22': () => invalid([]),
  '23502': () => invalid([]),
  '23514': () => invalid([]),
  '54000': () => invalid([]),
  '08P01': () => invalid([]),
  '23505': () => conflict('The resource conflicts with one that exists'),
  '23503': () => conflict('The resource is referred to, or refers to one that does not exist'),
  // The database is away, overloaded, read-only, or the work took too long
  '08': unavailable,
  '25006': unavailable,
  '25P02': unavailable,
  '25P03': unavailable,
  '40001': unavailable,
  '40P01': unavailable,
  '53': unavailable,
  '55P03': unavailable,
  '57': unavailable,
};

/** Errors of the connection that carry no SQLSTATE, by the code of the operating system. */
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** pg gives these no code at all; the texts are part of its public behaviour since version 8.0. */
const CONNECTION_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Driver not Connected|Cannot use a pool after)/;

/** The refusal for an error of the database, or undefined when it is none. */
export function refusalOfDatabaseError(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined;
  // A name with several addresses fails with one error for each of them.
  if (error instanceof AggregateError) return refusalOfDatabaseError(error.errors[0]);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // First, because EPIPE looks like a SQLSTATE.
  if (code !== undefined && 'syscall' in error && CONNECTION_CODES.has(code)) return unavailable();
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code)) {
    const answer = ANSWERS[code] ?? ANSWERS[code.slice(0, 2)];
    return answer ? answer() : internalError();
  }
  return CONNECTION_MESSAGES.test(error.message) ? unavailable() : undefined;
}
