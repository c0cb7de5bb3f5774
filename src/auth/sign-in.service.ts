import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { ApiKeysService, type PresentedKey } from './credentials/api-keys.service.js';
import { BrowserSessions } from './credentials/browser-sessions.service.js';
import type { Browser, SessionCookie } from './credentials/new-browser-session.js';
import {
  CHECKS_PASSWORDS,
  DirectoryPasswords,
  type DirectoryPerson,
  directoryOf,
} from './credentials/directory-passwords.service.js';
import { HASHES_AT_ONCE, simulateVerify, verifyPassword } from './credentials/password-hash.js';
import { type Counted, SignInLimits } from './credentials/sign-in-limits.service.js';
import {
  type IssuedToken,
  type IssuingOptions,
  issueTokens,
  type TokenHolder,
} from './credentials/issue-tokens.js';
import { Passkeys } from './credentials/passkeys.service.js';
import { PasswordSignIn } from './credentials/password-sign-in.service.js';
import {
  secondStepExists,
  type SecondStepKind,
  SecondSteps,
} from './credentials/second-steps.service.js';
import { TokensService } from './credentials/tokens.service.js';
import { CurrentPassword, notCurrentPassword } from './credentials/current-password.service.js';
import { networkOf } from '../base/config/parse-cidr-list.js';
import { Batcher } from '../base/concurrency/batcher.js';
import { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { KeyedLimiter } from '../base/concurrency/keyed-limiter.js';
import { FOREIGN_KEY_VIOLATION, sqlStateOf } from '../base/errors/database-errors.js';
import {
  ApiError,
  badCredentials,
  badPasskey,
  secondStepRequired,
} from '../base/errors/api-errors.js';
import { AuditService, type AuditContext } from '../security/audit.service.js';
import type { Caller } from '../security/caller.js';
import type { HeldBy } from '../security/parameters/holders.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { SignInAudit } from '../security/sign-in-audit.js';
import { USER_STATUS } from '../security/user-status.js';
import { userUri } from '../security/user-uri.js';
import type { ConfirmationDto, CredentialsDto } from './credentials.dto.js';
import { padResponseTime } from './constant-time-response.js';
import { BoundIdentitiesService } from './bound-identities.service.js';
import type { Identity } from './id-token-verifier.service.js';
import { ProviderLogouts } from './provider-logouts.service.js';

/** A successful authentication: the user, the credential and the address. */
interface Proof {
  id: string;
  login: string;
  by: 'password' | 'directory' | 'passkey' | 'API key' | 'identity';
  /** The version of the credentials against which it was verified. */
  version: number;
  /** Its age in seconds; undefined for an API key. */
  proofAge?: number | undefined;
  /** What the person presented beside the password. */
  secondStep?: SecondStepKind | undefined;
  /** Whether the person has to add a second step before anything else. */
  addsSecondStep?: boolean;
  /** The session at the identity provider; empty where its token names none. */
  providerSession?: string;
  apiKey?: PresentedKey;
  /** The browser that asked to stay signed in. */
  browser?: Browser | undefined;
  auditContext: AuditContext;
}

/** A successful sign-in: its token, and the cookie of a browser that stays signed in. */
export interface SignedIn {
  token: IssuedToken;
  cookie?: SessionCookie | undefined;
}

/** How often a sign-in is tried when a credential of the account changes during it. */
const MAX_TRIES = 3;

/**
 * Limits of concurrent sign-ins by password for one login from one network. They keep one person from filling the queue
 * of all sign-ins or, from another network, the queue of the account's owner. With a higher limit, concurrent attempts
 * would only count as each other's failures. Attempts that a portal sends together for one account wait in the queue
 * (milliseconds).
 */
const ATTEMPTS = { maxConcurrent: HASHES_AT_ONCE, maxQueued: 48, queueTimeout: 10_000 };

/** The names of the credentials in the audit trail. */
const AUDITED = {
  password: 'password',
  directory: 'password of the directory',
  passkey: 'passkey',
  'API key': 'API key',
  identity: 'identity provider',
};

/** The account of a sign-in with a password. */
interface Account {
  /** The normalized login by which attempts queue, even when no such account exists. */
  key: string;
  id: string | undefined;
  login: string;
  /** Whether this account may sign in with a password from the caller's address. */
  mayTry: boolean;
  /** Why it may not, or a wrong password, for the audit trail. */
  reason: string;
  hash: string | undefined;
  /** Who checks the password instead of the hash. */
  directory: DirectoryPerson | undefined;
  /** Whether any directory checks passwords. */
  hasDirectories: boolean;
  heldBy: HeldBy;
  hasSecondStep: boolean;
  /** The version of its credentials. */
  version: number;
}

/** The row of a login; null where there is no such account, or it has no password. */
interface AccountRow extends HeldBy {
  key: string;
  id: string | null;
  login: string | null;
  status: number | null;
  hash: string | null;
  provider: string | null;
  externalId: string | null;
  hasDirectories: boolean;
  hasSecondStep: boolean;
  version: number;
}

/** Signs users in, which issues a token, and out. Every failed sign-in gets the same 401 after the same time. */
@Injectable()
export class SignInService {
  private readonly attempts = new KeyedLimiter(ATTEMPTS);
  private readonly issuing = new Batcher(
    (proofs: Proof[], waited) => this.issueTokens(proofs, { waited, isBatch: true }),
    async (proof, waited) => (await this.issueTokens([proof], { waited }))[0],
  );

  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly tokens: TokensService,
    private readonly browserSessions: BrowserSessions,
    private readonly apiKeys: ApiKeysService,
    private readonly currentPassword: CurrentPassword,
    private readonly boundIdentities: BoundIdentitiesService,
    private readonly logouts: ProviderLogouts,
    private readonly limits: SignInLimits,
    private readonly passwordSignIn: PasswordSignIn,
    private readonly directoryPasswords: DirectoryPasswords,
    private readonly secondSteps: SecondSteps,
    private readonly passkeys: Passkeys,
    private readonly parameters: ParametersService,
    private readonly audit: AuditService,
    private readonly signInAudit: SignInAudit,
  ) {}

  /**
   * Variant A: login and password, with the code of a second step for people who have one.
   * @throws ApiError 401; 429 when the address has failed too often, or too many attempts of the login wait;
   * 503 when too many attempts wait altogether
   */
  async byPassword(
    { login, password, code }: CredentialsDto,
    auditContext: AuditContext,
    browser?: Browser,
  ): Promise<SignedIn> {
    this.limits.refuseExceeded(addressOf(auditContext));
    return padResponseTime(() =>
      whileUnchanged(async () => {
        const account = await this.findAccount(login, auditContext);
        const work = () => this.tryPassword(account, { password, code }, auditContext, browser);
        const key = JSON.stringify([account.key, networkOf(addressOf(auditContext))]);
        const outcome = await this.attempts.run(key, work);
        if (outcome !== 'locked') return outcome;
        // Outside the limiter, so that a locked attempt does not delay the owner's.
        await simulateVerify();
        if (account.hasDirectories) await this.directoryPasswords.simulateVerify();
        throw badCredentials('locked', accountUri(account.id));
      }),
    );
  }

  /**
   * Variant B: login and API key.
   * @throws ApiError 401, 429
   */
  byApiKey({ login, password }: CredentialsDto, auditContext: AuditContext): Promise<SignedIn> {
    return padResponseTime(() =>
      whileUnchanged(async () => {
        const address = addressOf(auditContext);
        const owner = await this.apiKeys.find({ login, key: password, address });
        const mayTry =
          owner?.isActive && (!owner.sysadmin || (await this.isSysadminAddress(auditContext)));
        if (mayTry && owner.key && !owner.locked) {
          const { id, login, version, key: apiKey } = owner;
          return this.issueToken({ id, login, version, by: 'API key', apiKey, auditContext });
        }
        await this.limits.count(mayTry ? owner.id : undefined, address);
        throw badCredentials(mayTry && owner.locked ? 'locked' : 'API key', accountUri(owner?.id));
      }),
    );
  }

  /**
   * A passkey alone, whose authenticator has verified the person. Where passwords are off, so are passkeys: people then sign in
   * at the identity provider.
   * @throws ApiError 401, 429
   */
  byPasskey(
    passkey: AuthenticationResponseJSON,
    auditContext: AuditContext,
    browser?: Browser,
  ): Promise<SignedIn> {
    const address = addressOf(auditContext);
    this.limits.refuseExceeded(address);
    return padResponseTime(async () => {
      // Once, because it uses the challenge.
      const isProven = await this.passkeys.prove(passkey);
      return whileUnchanged(async () => {
        const owner = await this.passkeys.ownerOf(passkey, address);
        const mayTry =
          owner?.isActive &&
          (owner.sysadmin
            ? await this.isSysadminAddress(auditContext)
            : await this.passwordSignIn.isOn());
        if (mayTry && isProven && !owner.locked) {
          const { id, login, version } = owner;
          const proof = { by: 'passkey' as const, proofAge: 0, browser, auditContext };
          return this.issueToken({ id, login, version, ...proof });
        }
        await this.limits.count(mayTry ? owner.id : undefined, address);
        throw badCredentials(mayTry && owner.locked ? 'locked' : 'passkey', accountUri(owner?.id));
      });
    });
  }

  /**
   * Variant C: a token of the identity provider.
   * @throws ApiError 401, 429, 503 when the provider's keys cannot be fetched
   */
  byIdentity(
    identity: () => Promise<Identity>,
    auditContext: AuditContext,
    browser?: Browser,
  ): Promise<SignedIn> {
    return padResponseTime(async () => {
      try {
        const proved = await identity();
        return await whileUnchanged(async () => {
          const user = await this.boundIdentities.userOf(proved, auditContext);
          const proof = {
            by: 'identity' as const,
            proofAge: proved.proofAge,
            providerSession: proved.session,
            browser,
            auditContext,
          };
          const signedIn = await this.issueToken({ ...user, ...proof });
          // A sign-out at the provider during this sign-in may have missed the new session.
          await this.logouts.requireOpen(proved);
          return signedIn;
        });
      } catch (error) {
        if (error instanceof ApiError && error.status === 401)
          await this.limits.count(undefined, addressOf(auditContext));
        throw error;
      }
    });
  }

  /**
   * Verifies the caller's own password again, and a second step if the caller has one, which counts as a recent proof for this session.
   * @throws ApiError 400 naming `password`, also when it was replaced during the call, or `code`; 429
   */
  async confirm(
    caller: Caller,
    { password, code }: ConfirmationDto,
    auditContext: AuditContext,
  ): Promise<void> {
    const { id } = caller;
    const verified = await this.currentPassword.require(
      id,
      password,
      'password',
      auditContext,
      code,
    );
    // During the evaluation the password may have been replaced, or the token may have ended.
    if (!(await this.tokens.confirm(caller, verified))) throw notCurrentPassword('password');
    await this.audit.record(this.database, auditContext, {
      action: 'confirm-password',
      objectUri: accountUri(caller.id),
    });
  }

  /**
   * The same with a passkey of the caller, which needs no password.
   * @throws ApiError 400 naming `passkey`, also while the account is locked; 409 while passwords are switched off; 429
   */
  async confirmByPasskey(
    caller: Caller,
    passkey: AuthenticationResponseJSON,
    auditContext: AuditContext,
  ): Promise<void> {
    const { id } = caller;
    const address = addressOf(auditContext);
    this.limits.refuseExceeded(address);
    await this.passwordSignIn.require(id);
    const isProven = await this.passkeys.prove(passkey);
    const owner = await this.passkeys.ownerOf(passkey, address);
    const isAccepted = isProven && owner?.id === id && !owner.locked;
    if (!isAccepted || !(await this.tokens.confirm(caller, { passkeyId: passkey.id }))) {
      await this.limits.count(id, address);
      throw badPasskey(accountUri(id));
    }
    await this.audit.record(this.database, auditContext, {
      action: 'confirm-passkey',
      objectUri: accountUri(id),
    });
  }

  /** Ends the caller's session immediately, on every instance: all tokens of the browser, or the token alone. */
  async signOut(caller: Caller, auditContext: AuditContext): Promise<void> {
    const line = { auditContext, entry: { action: 'sign-out' as const } };
    if (this.signInAudit.isWrittenAlone(line))
      await this.database.transaction(async (transaction) => {
        await this.tokens.revoke(caller, transaction);
        await this.audit.record(transaction, auditContext, line.entry);
      });
    else {
      await this.tokens.revoke(caller, this.database);
      this.signInAudit.add(line);
    }
    await this.notifications.waitUntilDelivered();
  }

  /**
   * Counts an attempt, then evaluates it. It verifies a second step only after the password, so that the answer tells
   * nobody else who has one.
   * @returns undefined when the password has changed during the attempt; `locked`, without an evaluation, when
   * the account is locked
   * @throws ApiError 401 for a wrong password, and for a missing or wrong second step
   */
  private async tryPassword(
    account: Account,
    { password, code }: Pick<CredentialsDto, 'password' | 'code'>,
    auditContext: AuditContext,
    browser: Browser | undefined,
  ): Promise<SignedIn | 'locked' | undefined> {
    const { id, login, mayTry, version, directory } = account;
    const counted = await this.limits.count(mayTry ? id : undefined, addressOf(auditContext));
    if (mayTry && !counted) return 'locked';
    await this.requireRight(account, password, async () => {
      // The address has tried an unknown password, as it may have with an unknown login.
      const options = { refundsAddress: false };
      if (mayTry) await this.limits.takeBack(id!, addressOf(auditContext), counted!, options);
    });
    const secondStep = account.hasSecondStep
      ? await this.requireSecondStep(id!, code, auditContext, counted!)
      : undefined;
    const addsSecondStep =
      secondStep === undefined && (await this.secondSteps.areDemandedOf(account.heldBy));
    const proved = { id: id!, login, version, proofAge: 0, secondStep };
    // A browser that stays signed in would get sessions with all rights.
    const staying = addsSecondStep ? undefined : browser;
    const by = directory ? 'directory' : 'password';
    return this.issueToken(
      { ...proved, by, addsSecondStep, browser: staying, auditContext },
      counted,
    );
  }

  /**
   * Verifies a password against the stored hash or with the person's directory. Every failure costs one evaluation, and
   * one bind or its time where a directory checks passwords.
   * @param takeBack takes the counted attempt back after an outage of the directory
   * @throws ApiError 401 for a wrong password, and when the directory does not answer; 503 when too many wait
   */
  private async requireRight(
    { id, mayTry, reason, hash, directory, hasDirectories }: Account,
    password: string,
    takeBack: () => Promise<void>,
  ): Promise<void> {
    const person = mayTry ? directory : undefined;
    // For an account that may not sign in, and for that of a directory, the password is compared with a decoy.
    if (await verifyPassword(mayTry && !person ? hash : undefined, password)) return;
    if (!person) {
      if (hasDirectories) await this.directoryPasswords.simulateVerify();
      throw badCredentials(reason, accountUri(id));
    }
    const verdict = await this.directoryPasswords.verify(person, password, takeBack);
    if (verdict === 'right') return;
    const why = verdict === 'wrong' ? AUDITED.directory : 'the directory does not answer';
    throw badCredentials(why, accountUri(id));
  }

  /**
   * Uses the code of a second step.
   * @throws ApiError 401 that names what the person can present
   */
  private async requireSecondStep(
    id: string,
    code: string | null,
    auditContext: AuditContext,
    counted: Counted,
  ): Promise<SecondStepKind> {
    const used = code === null ? undefined : await this.secondSteps.use(id, code);
    if (used !== undefined) return used;
    if (code === null) await this.limits.takeBack(id, addressOf(auditContext), counted);
    const why = code === null ? 'second-step-required' : 'wrong-second-step';
    throw secondStepRequired(why, await this.secondSteps.kindsOf(id), userUri(id));
  }

  /**
   * Issues a token for a successful authentication.
   * @returns undefined when the credentials have changed since
   * @throws ApiError 429 when the user already holds the maximum number of tokens
   */
  private async issueToken(proof: Proof, counted?: Counted): Promise<SignedIn | undefined> {
    // A counted attempt runs alone, because it decrements its own counter; argon2 lets too few through to batch.
    const signedIn =
      counted || proof.browser
        ? (await this.issueTokens([proof], { counted }))[0]
        : await this.issuing.run(proof);
    if (signedIn) return signedIn;
    await this.tokens.enforceLimit(proof.id);
    // Alone: a batch checks the limit once per user, and the remaining tokens may not suffice for all its sign-ins.
    return (await this.issueTokens([proof], {}))[0];
  }

  /** Issues the tokens of successful authentications, and records the sign-ins. */
  private async issueTokens(
    proofs: Proof[],
    options: Pick<IssuingOptions, 'counted' | 'isBatch' | 'waited'>,
  ): Promise<(SignedIn | undefined)[]> {
    const parameters = await this.parameters.current();
    const holders = proofs.map((proof) => this.holderOf(proof));
    // Only a proof that runs alone has a browser.
    const browser = proofs[0]?.browser;
    const session = browser && (await this.browserSessions.make(browser));
    const issued = await issueTokens(this.database, holders, {
      ...options,
      session,
      lifetime: parameters.number('tokenLifetime'),
      limit: parameters.number('tokenLimit'),
    });
    holders.forEach(({ auditLine, isAudited }, at) => {
      if (issued[at] && !isAudited) this.signInAudit.add(auditLine);
    });
    return issued.map(
      (one) => one && { token: one.token, cookie: one.hasSession ? session?.cookie : undefined },
    );
  }

  private holderOf({
    id,
    login,
    by,
    auditContext,
    browser: _browser,
    secondStep,
    ...proof
  }: Proof): TokenHolder {
    const auditLine = {
      auditContext: { ...auditContext, caller: { id, login } },
      entry: { action: 'sign-in' as const, after: { by: AUDITED[by], secondStep } },
    };
    return {
      ...proof,
      userId: id,
      address: addressOf(auditContext),
      auditLine,
      isAudited: this.signInAudit.isWrittenAlone(auditLine),
    };
  }

  private async findAccount(login: string, auditContext: AuditContext): Promise<Account> {
    const [row] = await this.database.query<AccountRow>({
      text: `SELECT given.key, u.id, u.login, u.status, u.sysadmin, u.administrator,
          u.process_engine AS "processEngine", p.hash, ${directoryOf('u')}::text AS provider, u.external_id AS "externalId",
          EXISTS (SELECT FROM providers WHERE ${CHECKS_PASSWORDS}) AS "hasDirectories",
          ${secondStepExists('u.id')} AS "hasSecondStep",
          coalesce(s.credential_version, 0) AS version
        FROM (SELECT login_key($1) AS key) given
          LEFT JOIN users u ON login_key(u.login) = given.key
          LEFT JOIN passwords p ON p.user_id = u.id
          LEFT JOIN sign_ins s ON s.user_id = u.id`,
      values: [login],
    });
    const { provider, externalId, hasDirectories, ...account } = row!;
    const { key, id, login: name, status, hash, hasSecondStep, version, ...heldBy } = account;
    const { sysadmin } = heldBy;
    const isOn = sysadmin === true || (await this.passwordSignIn.isOn());
    const isInPlace = !sysadmin || (await this.isSysadminAddress(auditContext));
    return {
      key,
      id: id ?? undefined,
      login: String(name),
      mayTry: status === USER_STATUS.active && isOn && isInPlace,
      reason: isOn ? 'password' : 'passwords are switched off',
      hash: hash ?? undefined,
      directory: provider === null ? undefined : { provider, externalId: externalId ?? '' },
      hasDirectories,
      heldBy,
      hasSecondStep,
      version,
    };
  }

  private async isSysadminAddress(auditContext: AuditContext): Promise<boolean> {
    const { sysadminAddresses } = await this.parameters.current();
    return sysadminAddresses.has(addressOf(auditContext));
  }
}

/**
 * Repeats a sign-in from the start when a credential changes during it, because the credential that was
 * verified is no longer the stored one.
 * @throws ApiError 401 after `MAX_TRIES` attempts, or when the account or its key has been deleted
 */
async function whileUnchanged(attempt: () => Promise<SignedIn | undefined>): Promise<SignedIn> {
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const signedIn = await attempt();
      if (signedIn) return signedIn;
    }
  } catch (error) {
    if (sqlStateOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
  }
  throw badCredentials('changed during the sign-in');
}

const accountUri = (id: string | undefined): string | undefined =>
  id === undefined ? undefined : userUri(id);

const addressOf = ({ address }: AuditContext): string => address ?? '';
