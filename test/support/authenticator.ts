import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What a browser gets to make or use a passkey. */
export interface PasskeyOptions {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
}

/** What a passkey says otherwise than it should. */
export interface Lies {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  userHandle?: string;
  signCount?: number;
  isUserVerified?: boolean;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const CREDENTIAL_INCLUDED = 0x40;

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const encoded = (data: Buffer | string): string => Buffer.from(data).toString('base64url');
const textInCbor = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

/**
 * A passkey in software with its own key (ES256), and the browser around it: makes what `PublicKeyCredential.toJSON` makes
 * (WebAuthn Level 3, sections 5.1, 6.1 and 6.5).
 */
export class TestPasskey {
  readonly id = randomBytes(32);
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle = '';
  private signCount = 0;

  /** @param countsUp whether it counts its signatures, as passkeys that are copied between devices do not */
  constructor(
    private readonly origin: string,
    private readonly countsUp = true,
  ) {}

  /** The answer to the options of a registration. */
  create(options: PasskeyOptions, lies: Lies = {}) {
    this.userHandle = options.user!.id;
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    const publicKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ]);
    const length = Buffer.from([0, this.id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, publicKey]);
    const data = this.dataOf(lies.rpId ?? options.rp!.id, lies, credential);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      ...[textInCbor('fmt'), textInCbor('none'), textInCbor('attStmt'), Buffer.from([0xa0])],
      ...[textInCbor('authData'), Buffer.from([0x58, data.length]), data],
    ]);
    return this.credential({
      clientDataJSON: this.clientData('webauthn.create', options, lies),
      attestationObject: encoded(attestationObject),
    });
  }

  /** The answer to the options of a sign-in. */
  sign(options: PasskeyOptions, lies: Lies = {}) {
    if (this.countsUp) this.signCount++;
    const data = this.dataOf(lies.rpId ?? options.rpId!, lies);
    const clientDataJSON = this.clientData('webauthn.get', options, lies);
    const clientDataHash = sha256(Buffer.from(clientDataJSON, 'base64url'));
    const signed = Buffer.concat([data, clientDataHash]);
    return this.credential({
      clientDataJSON,
      authenticatorData: encoded(data),
      signature: encoded(sign('sha256', signed, this.keys.privateKey)),
      userHandle: lies.userHandle ?? this.userHandle,
    });
  }

  private credential<T>(response: T) {
    const id = encoded(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, { challenge }: PasskeyOptions, lies: Lies): string {
    const content = { type, challenge, origin: this.origin, crossOrigin: false };
    const { origin, type: other = type, challenge: another = challenge } = lies;
    return encoded(
      JSON.stringify({ ...content, type: other, challenge: another, ...(origin && { origin }) }),
    );
  }

  private dataOf(rpId: string, lies: Lies, credential = Buffer.alloc(0)): Buffer {
    const { signCount = this.signCount, isUserVerified = true } = lies;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount);
    const flags =
      USER_PRESENT +
      (isUserVerified ? USER_VERIFIED : 0) +
      (credential.length > 0 ? CREDENTIAL_INCLUDED : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, credential]);
  }
}
