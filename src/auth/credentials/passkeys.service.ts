import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { networkOf } from '../../base/config/parse-cidr-list.js';
import { Config } from '../../base/config/config.js';
import { badPasskey, conflict } from '../../base/errors/api-errors.js';
import { reason } from '../../base/errors/reason.js';
import { Database, type Reader } from '../../database/database.js';
import { Housekeeping } from '../../database/housekeeping.js';
import { Notifications } from '../../database/notifications.js';
import type { AuditContext } from '../../security/audit.service.js';
import type { Caller } from '../../security/caller.js';
import { lockUser } from '../../security/lock-user.js';
import { brandingOf } from '../../security/parameters/branding.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { USER_STATUS } from '../../security/user-status.js';
import { CHALLENGE_LIFETIME, expirationOf, makeChallenge } from './passkey-challenge.js';
import { PasswordSignIn } from './password-sign-in.service.js';
import { SecondSteps } from './second-steps.service.js';

/** Maximum number of passkeys of a user. */
const MAX_PASSKEYS = 20;

const SIGN_IN = 'sign-in';
const registrationOf = (userId: string): string => `registration of user ${userId}`;

/** The user of a passkey. */
export interface PasskeyOwner {
  id: string;
  login: string;
  isActive: boolean;
  sysadmin: boolean;
  locked: boolean;
  /** The version of the user's credentials. */
  version: number;
}

/** The server as browsers and authenticators know it (WebAuthn section 5.4.2). */
interface RelyingParty {
  id: string;
  origin: string;
}

/** What the database knows of a passkey. */
interface StoredPasskey {
  id: string;
  publicKey: Buffer;
  signCount: string;
  userHandle: Buffer;
}

/** Loads the library when it is first needed, because that takes as long as the rest of a start. */
const library = () => import('@simplewebauthn/server');

/**
 * Passkeys (Web Authentication, Level 3; docs/decisions/0054). The authenticator of a person verifies the person, so that
 * a passkey signs in alone.
 */
@Injectable()
export class Passkeys {
  private readonly party: RelyingParty | undefined;
  /** Tells this server from others of the same host, whose passkeys the same authenticator keeps. */
  private readonly place: string;

  constructor(
    config: Config,
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly parameters: ParametersService,
    private readonly passwordSignIn: PasswordSignIn,
    private readonly secondSteps: SecondSteps,
    housekeeping: Housekeeping,
  ) {
    const { PUBLIC_URL, BASE_PATH } = config.env;
    this.party = relyingPartyOf(PUBLIC_URL);
    this.place = `${PUBLIC_URL ?? ''}${BASE_PATH}`;
    // Long after it, because the clocks of the instances differ.
    housekeeping.register('used_challenges', `expiration < now() - interval '1 hour'`);
  }

  /** Whether browsers can make passkeys for this server. */
  get areOn(): boolean {
    return this.party !== undefined;
  }

  /**
   * The options of a sign-in, the same for everybody: the person chooses a passkey of the authenticator.
   * @throws ApiError 409 where passkeys are off
   */
  async requestOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { id: rpID } = this.requireParty();
    const { generateAuthenticationOptions } = await library();
    return generateAuthenticationOptions({
      rpID,
      challenge: await this.makeChallenge(SIGN_IN),
      timeout: CHALLENGE_LIFETIME,
      userVerification: 'required',
    });
  }

  /**
   * The options of a new passkey of the caller.
   * @throws ApiError 409 where passkeys or passwords are off
   */
  async creationOptions({
    id,
    login,
    title,
  }: Caller): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { id: rpID } = this.requireParty();
    await this.passwordSignIn.require(id);
    const known = await this.database.rows({
      text: `SELECT credential_id FROM second_steps WHERE user_id = $1 AND kind = 'passkey'`,
      values: [id],
    });
    const { name } = brandingOf(await this.parameters.current());
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
      rpID,
      rpName: name || rpID,
      userID: this.userHandleOf(id),
      userName: login,
      userDisplayName: title,
      challenge: await this.makeChallenge(registrationOf(id)),
      timeout: CHALLENGE_LIFETIME,
      excludeCredentials: known.map(([one]) => ({ id: (one as Buffer).toString('base64url') })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /**
   * Adds a passkey to the second steps of the caller, as the first code adds an app.
   * @returns recovery codes; null for a person who has some
   * @throws ApiError 400 naming `passkey`; 409 where passkeys or passwords are off, or with `MAX_PASSKEYS` passkeys
   */
  async add(
    caller: Caller,
    auditContext: AuditContext,
    { name, passkey }: { name: string; passkey: RegistrationResponseJSON },
  ): Promise<string[] | null> {
    const { id: userId } = caller;
    const { id: expectedRPID, origin: expectedOrigin } = this.requireParty();
    await this.passwordSignIn.require(userId);
    const challenge = await this.challengeIn(passkey, registrationOf(userId));
    const { verifyRegistrationResponse } = await library();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: passkey,
      expectedChallenge: () => challenge !== undefined,
      expectedOrigin,
      expectedRPID,
    }).catch(() => ({ registrationInfo: undefined }));
    if (!challenge || !registrationInfo) throw badPasskey();
    const { id, publicKey, counter } = registrationInfo.credential;
    const codes = await this.database.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      const [row] = await transaction.rows({
        text: `SELECT count(*)::integer FROM second_steps WHERE user_id = $1 AND kind = 'passkey'`,
        values: [userId],
      });
      if (Number(row![0]) >= MAX_PASSKEYS)
        throw conflict(reason('too-many-passkeys', { max: MAX_PASSKEYS }));
      const added = await transaction.execute({
        text: `INSERT INTO second_steps (user_id, kind, name, credential_id, public_key, sign_count, user_handle, confirmation_date)
          VALUES ($1, 'passkey', $2, $3, $4, $5, $6, now()) ON CONFLICT (credential_id) DO NOTHING`,
        values: [
          userId,
          name,
          Buffer.from(id, 'base64url'),
          Buffer.from(publicKey),
          counter,
          this.userHandleOf(userId),
        ],
      });
      if (added === 0 || !(await useChallenge(challenge, transaction))) throw badPasskey();
      return this.secondSteps.complete(caller, auditContext, transaction);
    });
    await this.notifications.waitUntilDelivered();
    return codes;
  }

  /**
   * Whether an authenticator signed a challenge of this server with a passkey that it knows (WebAuthn section 7.2). A challenge
   * is accepted once, also in parallel.
   */
  async prove(passkey: AuthenticationResponseJSON): Promise<boolean> {
    if (!this.party) return false;
    const [stored] = await this.database.query<StoredPasskey>({
      text: `SELECT id, public_key AS "publicKey", sign_count AS "signCount", user_handle AS "userHandle"
        FROM second_steps WHERE credential_id = $1`,
      values: [Buffer.from(passkey.id, 'base64url')],
    });
    const challenge = await this.challengeIn(passkey, SIGN_IN);
    if (!stored || !challenge) return false;
    if (passkey.response.userHandle !== stored.userHandle.toString('base64url')) return false;
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: passkey,
      expectedChallenge: () => true,
      expectedOrigin: this.party.origin,
      expectedRPID: this.party.id,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(stored.publicKey),
        counter: Number(stored.signCount),
      },
    }).catch(() => ({ verified: false, authenticationInfo: undefined }));
    if (!verified || !authenticationInfo) return false;
    return this.database.transaction(async (transaction) => {
      if (!(await useChallenge(challenge, transaction))) return false;
      // The condition makes one of several parallel uses of a cloned authenticator succeed.
      const used = await transaction.execute({
        text: `UPDATE second_steps SET sign_count = $2, last_use_date = now()
          WHERE id = $1 AND (sign_count < $2 OR $2 = 0)`,
        values: [stored.id, authenticationInfo.newCounter],
      });
      return used > 0;
    });
  }

  /** The user of a passkey, who signs in from an address. */
  async ownerOf({ id }: { id: string }, address: string): Promise<PasskeyOwner | undefined> {
    const [owner] = await this.database.query<PasskeyOwner>({
      text: `SELECT u.id, u.login, u.status = ${USER_STATUS.active} AS "isActive", u.sysadmin,
          coalesce(CASE WHEN a.user_id IS NULL THEN s.locked_until ELSE a.locked_until END > now(), false) AS locked,
          coalesce(s.credential_version, 0) AS version
        FROM second_steps p JOIN users u ON u.id = p.user_id
          LEFT JOIN sign_ins s ON s.user_id = u.id
          LEFT JOIN known_addresses a ON a.user_id = u.id AND a.address = $2
        WHERE p.credential_id = $1`,
      values: [Buffer.from(id, 'base64url'), networkOf(address)],
    });
    return owner;
  }

  private requireParty(): RelyingParty {
    if (!this.party) throw conflict(reason('passkeys-off'));
    return this.party;
  }

  /** The id of a user in authenticators, which tells nothing about the person. */
  private userHandleOf(userId: string): Uint8Array<ArrayBuffer> {
    return new Uint8Array(hash('sha256', `${this.place} user ${userId}`, 'buffer'));
  }

  private async makeChallenge(purpose: string): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(makeChallenge(await this.secret(), purpose));
  }

  /** The challenge that an authenticator signed; undefined unless the server made it for this purpose and it is still valid. */
  private async challengeIn(
    { response: { clientDataJSON } }: { response: { clientDataJSON: string } },
    purpose: string,
  ): Promise<Challenge | undefined> {
    const value = challengeOf(clientDataJSON);
    const expiration = value && expirationOf(await this.secret(), purpose, value);
    return expiration && { value, expiration };
  }

  private async secret(): Promise<Buffer> {
    const [row] = await this.database.rows({
      text: 'SELECT secret FROM passkey_secrets LIMIT 1',
      values: [],
    });
    return row![0] as Buffer;
  }
}

interface Challenge {
  value: Buffer;
  expiration: Date;
}

/** @returns whether nobody has used the challenge before */
async function useChallenge({ value, expiration }: Challenge, reader: Reader): Promise<boolean> {
  const used = await reader.execute({
    text: 'INSERT INTO used_challenges (challenge, expiration) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    values: [value, expiration],
  });
  return used > 0;
}

function challengeOf(clientDataJSON: string): Buffer | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as {
      challenge?: unknown;
    };
    return typeof challenge === 'string' ? Buffer.from(challenge, 'base64url') : undefined;
  } catch {
    return undefined;
  }
}

/** Browsers know passkeys in secure contexts alone, and of hosts with a name (WebAuthn section 5.1.3). */
function relyingPartyOf(publicUrl: string | undefined): RelyingParty | undefined {
  if (publicUrl === undefined) return undefined;
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  const hasName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return isSecure && hasName ? { id: hostname, origin } : undefined;
}
