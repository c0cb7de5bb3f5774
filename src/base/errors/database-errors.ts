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
  // A function of the primary on a standby.
  '55000': unavailable,
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

const OTHER_AUTHORITY =
  'Set DATABASE_CA_FILE to a PEM file of the CA that signed the certificate of the database.';
const NOT_VALID_NOW = 'Renew the certificate of the database, or set the clock of this host.';

/** What to do about a certificate of the database that the client refuses, by the code of OpenSSL or Node. */
const CERTIFICATE_ADVICE: Partial<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: OTHER_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: OTHER_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: OTHER_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: OTHER_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: OTHER_AUTHORITY,
  CERT_SIGNATURE_FAILURE: OTHER_AUTHORITY,
  CERT_HAS_EXPIRED: NOT_VALID_NOW,
  CERT_NOT_YET_VALID: NOT_VALID_NOW,
  ERR_TLS_CERT_ALTNAME_INVALID: 'The host in DATABASE_URL must be one of the certificate.',
};

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
  if (code in CERTIFICATE_ADVICE) return unavailable();
  return CONNECTION_MESSAGES.test(error.message) ? unavailable() : undefined;
}

const CREDENTIALS = 'Check the user and the password: DATABASE_URL and DATABASE_PASSWORD.';
const ADDRESS = 'Check DATABASE_URL.';

/** What to do when no session begins, by the code of the network or the SQLSTATE. */
const SESSION_ADVICE: Partial<Record<string, string>> = {
  ECONNREFUSED: ADDRESS,
  ENOTFOUND: ADDRESS,
  EAI_AGAIN: ADDRESS,
  ETIMEDOUT: ADDRESS,
  EHOSTUNREACH: ADDRESS,
  '3D000': ADDRESS,
  '28P01': CREDENTIALS,
  '28000': `${CREDENTIALS} If it accepts only connections with TLS, set DATABASE_CA_FILE.`,
};

/** What to do about errors of pg without any code. */
const MESSAGE_ADVICE: [RegExp, string][] = [
  [/^timeout/i, ADDRESS],
  [/^SASL: .*password must be/, CREDENTIALS],
  [
    /does not support SSL/,
    'Set ssl = on in PostgreSQL, or remove DATABASE_CA_FILE and the sslmode of DATABASE_URL.',
  ],
];

/**
 * Poolers refuse or drop the settings of a session: the time limits would not hold, and keys of server parameters would
 * miss their vendor.
 */
export const POOLER =
  'DATABASE_URL must lead to PostgreSQL itself, not to a pooler such as PgBouncer: it drops the settings with which sessions begin';

/** The message at the terminal when no session with the database begins; undefined for any other error. */
export function explainUnreachableDatabase(error: NodeJS.ErrnoException): string | undefined {
  if (error.message.startsWith('unsupported startup parameter')) return POOLER;
  const { code = '', message } = error;
  const advice =
    CERTIFICATE_ADVICE[code] ??
    SESSION_ADVICE[code] ??
    MESSAGE_ADVICE.find(([pattern]) => pattern.test(message))?.[1];
  return advice && `The database cannot be reached: ${message.replace(/\.$/, '')}. ${advice}`;
}
