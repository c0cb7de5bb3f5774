import { conflict, internalError, invalidField, ApiError, unavailable } from './api-errors.js';
import { reason } from './reason.js';

/** The SQLSTATE of a reference to a row that does not exist (PostgreSQL, appendix A). */
export const FOREIGN_KEY_VIOLATION = '23503';

const badValue = (): ApiError => invalidField('request', reason('not-storable'));

/** The answer for each SQLSTATE or class (its first two characters); a safety net below the validation. */
const ANSWERS: Record<string, () => ApiError> = {
  // Data that no column can store.
  '22': badValue,
  '23502': badValue,
  '23514': badValue,
  '54000': badValue,
  '08P01': badValue,
  '23505': () => conflict(reason('conflicting')),
  [FOREIGN_KEY_VIOLATION]: () => conflict(reason('broken-reference')),
  // The database is unreachable, overloaded or read-only, or the statement took too long.
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

/** Connection errors without SQLSTATE, by the code of the operating system. */
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

/** Errors of pg without any code; their texts have been part of its public behaviour since version 8.0. */
const CONNECTION_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Driver not Connected|Cannot use a pool after)/;

/**
 * The SQLSTATE of an error (PostgreSQL, appendix A); undefined for any other error, including those of the
 * operating system: the code EPIPE has the same form.
 */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || 'syscall' in error) return undefined;
  const { code } = error;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** The ApiError for a database error; undefined for any other error. */
export function fromDatabaseError(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  // A host name with several addresses fails with one error per address.
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

/** Codes of the network, and the SQLSTATEs of a wrong password, user or database. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '28P01',
  '28000',
  '3D000',
]);

/** The message at the terminal when no session with the database begins; undefined for any other error. */
export function explainUnreachableDatabase(error: NodeJS.ErrnoException): string | undefined {
  return UNREACHABLE.has(error.code ?? '') || /^timeout/i.test(error.message)
    ? `The database cannot be reached: ${error.message}. Check DATABASE_URL.`
    : undefined;
}
