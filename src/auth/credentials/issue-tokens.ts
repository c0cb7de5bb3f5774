import { networkOf } from '../../base/config/parse-cidr-list.js';
import { Bindings } from '../../database/bindings.js';
import type { BoundStatement, Database } from '../../database/database.js';
import { type AuditLine, insertAuditLines } from '../../security/audit.service.js';
import { USER_STATUS } from '../../security/user-status.js';
import { insertBrowserSession, type NewBrowserSession } from './new-browser-session.js';
import { hashSecret, makeSecret } from './secret.js';
import { type Counted, refundAttempts, rememberNetworks } from './sign-in-limits.service.js';
import { withoutMilliseconds } from './tokens.service.js';

/** Minimum time between two recorded uses of a key from the same address, in seconds. */
const USE_RESOLUTION = 60;

/** How long a batch waits for a locked row; after that each of its sign-ins runs alone. */
const BATCH_LOCK_TIMEOUT = '50ms';

/** The response to a sign-in (docs/api-contract.md#tokens). */
export interface IssuedToken {
  token: string;
  expiration: string;
}

/** A token as the statement issued it. */
export interface Issued {
  token: IssuedToken;
  /** Whether the browser session was stored; the user's limit of sessions may prevent it. */
  hasSession: boolean;
}

/** An authenticated user who gets a token. */
export interface TokenHolder {
  userId: string;
  address: string;
  /** The version of the user's credentials that was verified. */
  version: number;
  /** Age of the authentication in seconds; undefined for an API key, which proves no presence of a person. */
  proofAge?: number | undefined;
  /** The API key of the sign-in; deleting it ends the token. */
  apiKey?: { id: string; expiration: string | null } | undefined;
  /** Whether the token can only add a second step (docs/decisions/0053). */
  addsSecondStep?: boolean | undefined;
  /** The session at the identity provider, empty where its token names none; undefined for every other sign-in. */
  providerSession?: string | undefined;
  auditLine: AuditLine;
  /** Whether the statement writes the audit line; otherwise the caller adds it to a sum. */
  isAudited: boolean;
}

export interface IssuingOptions {
  /** The counter of the attempt, if any, which the statement decrements again. Only with a single holder. */
  counted?: Counted | undefined;
  /** The browser session of the sign-in, if the browser asked for one. Only with a single holder. */
  session?: NewBrowserSession | undefined;
  /** Whether the holders are a batch, which fails early (55P03) when a row is locked. */
  isBatch?: boolean;
  /** How long the holders have already waited, in milliseconds. */
  waited?: number;
  /** Lifetime of a token in seconds. */
  lifetime: number;
  /** Maximum number of valid tokens of a user. */
  limit: number;
}

interface IssuedRow {
  place: number;
  expiration: string;
  sessionId: string | null;
}

/**
 * Issues a token to each holder, in one statement.
 * @returns the tokens in the order of the holders; undefined for a holder whose credential has changed since
 * it was verified, or who already holds the maximum number of tokens
 */
export async function issueTokens(
  database: Database,
  holders: TokenHolder[],
  options: IssuingOptions,
): Promise<(Issued | undefined)[]> {
  const tokens = holders.map(() => makeSecret());
  const rows = await database.query<IssuedRow>(
    issuingStatement(holders, tokens, options),
    options.waited,
  );
  const issued = new Map(rows.map((row) => [row.place, row]));
  return tokens.map((token, at) => {
    const row = issued.get(at + 1);
    if (!row) return undefined;
    const { expiration, sessionId } = row;
    return {
      token: { token, expiration: withoutMilliseconds(expiration) },
      hasSession: sessionId !== null,
    };
  });
}

/**
 * A sign-in writes everything in one statement, which costs one round trip and one commit
 * (decision 0016).
 *
 * A token is issued only for credentials that are still valid (decision 0019): the row of `sign_ins` must
 * hold the version that was verified. Every change of a credential raises the version before it ends the
 * tokens, and both write that row, so one of them sees the other.
 *
 * Overlapping sign-ins lock the same rows. To rule out deadlocks, each step writes in the order of its key,
 * and `(SELECT count(*) FROM <step before>) >= 0` makes PostgreSQL finish that step first.
 */
function issuingStatement(
  holders: TokenHolder[],
  tokens: string[],
  { counted, session, isBatch = false, lifetime, limit }: IssuingOptions,
): BoundStatement {
  const { bind, values } = new Bindings();
  const userIds = bind(holders.map(({ userId }) => userId));
  const networks = bind(holders.map(({ address }) => networkOf(address)));
  const addresses = bind(holders.map(({ address }) => address));
  const hashes = bind(tokens.map(hashSecret));
  const versions = bind(holders.map(({ version }) => version));
  const proofAges = bind(holders.map(({ proofAge }) => proofAge ?? null));
  const apiKeyIds = bind(holders.map(({ apiKey }) => apiKey?.id ?? null));
  const keyExpirations = bind(holders.map(({ apiKey }) => apiKey?.expiration ?? null));
  const addSecondSteps = bind(holders.map(({ addsSecondStep }) => addsSecondStep === true));
  const providerSessions = bind(holders.map(({ providerSession }) => providerSession ?? null));
  const audited = bind(holders.map(({ isAudited }) => isAudited));
  const auditLines = holders.map(({ auditLine }) => auditLine);

  const text = `
    WITH ${isBatch ? `hurried AS (SELECT set_config('lock_timeout', '${BATCH_LOCK_TIMEOUT}', true)),` : ''}
    given AS (
      SELECT * FROM unnest(${userIds}::bigint[], ${networks}::text[], ${addresses}::text[], ${hashes}::bytea[],
          ${versions}::integer[], ${proofAges}::double precision[], ${apiKeyIds}::bigint[],
          ${keyExpirations}::timestamptz[], ${addSecondSteps}::boolean[], ${providerSessions}::text[], ${audited}::boolean[])
        WITH ORDINALITY AS given (user_id, network, address, hash, version, proof_age, api_key_id,
          key_expiration, adds_second_step, provider_session, is_audited, place)),

    -- The account first, in the order in which a deletion takes its locks.
    present AS (
      SELECT id AS user_id FROM users WHERE id IN (SELECT user_id FROM given) AND status = ${USER_STATUS.active}
        ${isBatch ? 'AND (SELECT count(*) FROM hurried) > 0' : ''}
      ORDER BY id FOR KEY SHARE),

    ${counted ? `refund AS (${refundAttempts(networks)} AND (SELECT count(*) FROM present) >= 0 RETURNING 1),` : ''}
    remembered AS (
      ${rememberNetworks(
        `SELECT DISTINCT user_id, network FROM given
        WHERE (SELECT count(*) FROM ${counted ? 'refund' : 'present'}) >= 0 ORDER BY 1, 2`,
        counted !== undefined,
      )}
      RETURNING 1),

    signed_in AS (
      INSERT INTO sign_ins AS s (user_id, last_login_date, credential_version, issued_tokens)
      SELECT user_id, now(), max(version), count(*) FROM given JOIN present USING (user_id)
      WHERE (SELECT count(*) FROM remembered) >= 0 GROUP BY user_id ORDER BY user_id
      ON CONFLICT (user_id) DO UPDATE SET last_login_date = excluded.last_login_date,
          issued_tokens = s.issued_tokens + excluded.issued_tokens
          ${counted === 'account' ? ', failures = 0, locked_until = NULL' : ''}
        WHERE s.credential_version = excluded.credential_version
          AND s.issued_tokens + excluded.issued_tokens <= ${bind(limit)}
      RETURNING user_id, credential_version),

    ${session ? `browser_session AS (${insertBrowserSession(session, bind)}),` : ''}
    token AS (
      INSERT INTO tokens (user_id, browser_session_id, hash, address, api_key_id, adds_second_step, provider_session, expiration,
        proof_date)
      SELECT user_id, ${session ? '(SELECT id FROM browser_session)' : 'NULL::bigint'}, hash, address, api_key_id, adds_second_step,
        provider_session,
        least(date_trunc('second', now()) + make_interval(secs => ${bind(lifetime)}),
          date_trunc('second', key_expiration)),
        now() - make_interval(secs => proof_age)
      FROM given JOIN signed_in USING (user_id) WHERE version = credential_version
      RETURNING hash, expiration, browser_session_id),

    issued AS (SELECT place, expiration, browser_session_id, is_audited FROM given JOIN token USING (hash)),

    -- Steps that nothing reads run after the SELECT, when the row of the user is locked.
    used_key AS (
      UPDATE api_keys k SET last_use_date = now(), last_use_address = used.address
      FROM (SELECT DISTINCT ON (api_key_id) api_key_id, address FROM given WHERE api_key_id IS NOT NULL) used
      WHERE k.id = used.api_key_id AND (k.last_use_date IS NULL OR k.last_use_address IS DISTINCT FROM used.address
        OR k.last_use_date < now() - interval '${USE_RESOLUTION} seconds')),

    audited AS (
      ${insertAuditLines(auditLines, bind, 'place IN (SELECT place FROM issued WHERE is_audited)')})

    SELECT place::integer, expiration, browser_session_id AS "sessionId" FROM issued`;

  return { text, values };
}
