import { conflict, internalError, invalidField, ApiError, unavailable } from './api-errors.js';

const badValue = (): ApiError =>
  invalidField('request', 'holds a value that cannot be stored or compared');

/** SQLSTATE (or its class of two characters) to the answer; the net below our own validation. */
const ANSWERS: Record<string, () => ApiError> = {
  // Data that no column can take
  '22': badValue,
  '23502': badValue,
  '23514': badValue,
  '54000': badValue,
  '08P01': badValue,
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

/**
 * What PostgreSQL refused something with (PostgreSQL, appendix A); undefined for any other error, also
 * for those of the operating system, of which EPIPE looks like one.
 */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || 'syscall' in error) return undefined;
  const { code } = error;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The refusal for an error of the database, or undefined when it is none. */
export function fromDatabaseError(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  // A name with several addresses fails with one error for each of them.
  if (error instanceof AggregateError) return fromDatabaseError(error.errors[0]);
  const state = sqlStateOf(error);
  if (state !== undefined) {
    const answer = ANSWERS[state] ?? ANSWERS[state.slice(0, 2)];
    return answer ? answer() : internalError();
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if ('syscall' in error && CONNECTION_CODES.has(code)) return unavailable();
  return CONNECTION_MESSAGES.test(error.message) ? unavailable() : undefined;
}
