import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate and its key, as PEM. */
export interface SelfSigned {
  cert: string;
  key: string;
}

/** A CA that signs certificates. */
export interface Authority extends SelfSigned {
  name: string;
}

/** Encodes a DER value: tag, length, content (X.690). */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
const sequence = (...contents: Buffer[]): Buffer => der(0x30, ...contents);
const octets = (...contents: Buffer[]): Buffer => der(0x04, ...contents);
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/[-T:]/g, '').slice(2, 14)}Z`));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const SUBJECT_ALTERNATIVE_NAME = oid('551d11');

const LOOPBACK = '127.0.0.1';

const BASIC_CONSTRAINTS = oid('551d13');
const CRITICAL = der(0x01, Buffer.from([0xff]));
const MAY_SIGN = sequence(der(0x01, Buffer.from([0xff])));

const nameOf = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(commonName)))));

/** Creates a self-signed certificate for `localhost` and 127.0.0.1 that is valid for one day (RFC 5280). */
export const makeCertificate = (commonName = 'localhost'): SelfSigned =>
  certify(commonName, namesOf(['localhost']));

/** Creates a CA that is valid for one day. */
export const makeAuthority = (name: string): Authority => ({
  name,
  ...certify(name, sequence(BASIC_CONSTRAINTS, CRITICAL, octets(MAY_SIGN))),
});

/** Creates a certificate for a host and an address that a CA signs. */
export const makeSigned = (authority: Authority, host: string, address = LOOPBACK): SelfSigned =>
  certify(host, namesOf([host], address), authority);

const namesOf = (hosts: string[], address = LOOPBACK): Buffer =>
  sequence(
    SUBJECT_ALTERNATIVE_NAME,
    octets(
      sequence(
        ...hosts.map((host) => der(0x82, Buffer.from(host))),
        der(0x87, Buffer.from(address.split('.').map(Number))),
      ),
    ),
  );

function certify(commonName: string, extension: Buffer, authority?: Authority): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const now = Date.now();
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    nameOf(authority?.name ?? commonName),
    sequence(utcTime(new Date(now - 3_600_000)), utcTime(new Date(now + 86_400_000))),
    nameOf(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign('sha256', body, authority?.key ?? privateKey);
  const certificate = sequence(body, ECDSA_WITH_SHA256, bits(signature));
  return { cert: pem('CERTIFICATE', certificate), key: pemOf(privateKey) };
}

const pem = (label: string, content: Buffer): string =>
  `-----BEGIN ${label}-----\n${content.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
