import { isIP } from 'node:net';

/** One entry of an address list: a single address, or a network with its prefix length in bits. */
export interface CidrEntry {
  /** The entry as it was written. */
  text: string;
  address: string;
  family: 'ipv4' | 'ipv6';
  prefix: number;
}

/** The result of parseCidrList: the entries, and the texts that are not valid. */
export interface CidrList {
  entries: CidrEntry[];
  unreadable: string[];
}

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * `::ffff:a.b.c.d` (also in hexadecimal) is `a.b.c.d` (docs/api-contract.md#addresses); others
 * stay.
 */
export function unmapAddress(address: string): string {
  const dotted = MAPPED_IPV4.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const hexadecimal = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (!hexadecimal) return address;
  const [high, low] = [parseInt(hexadecimal[1]!, 16), parseInt(hexadecimal[2]!, 16)];
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/**
 * Reads IPv4 and IPv6 addresses and CIDR networks separated by commas, semicolons or blanks
 * (docs/api-contract.md#addresses). Never throws: invalid entries are returned as they were written.
 */
export function parseCidrList(text: string): CidrList {
  const list: CidrList = { entries: [], unreadable: [] };
  for (const written of text.split(/[\s,;]+/).filter(Boolean)) {
    const entry = parseEntry(written);
    if (entry) list.entries.push(entry);
    else list.unreadable.push(written);
  }
  return list;
}

function parseEntry(text: string): CidrEntry | undefined {
  const [written, bits, ...rest] = text.split('/');
  // A zone id (fe80::1%eth0) names an interface of one host, not an address.
  if (written === undefined || rest.length > 0 || written.includes('%')) return undefined;
  const address = unmapAddress(written);
  const version = isIP(address);
  if (version === 0) return undefined;
  const width = version === 4 ? 32 : 128;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (bits === undefined) return { text, address, family, prefix: width };
  if (!/^(0|[1-9]\d{0,2})$/.test(bits)) return undefined;
  const prefix = Number(bits) - (address === written ? 0 : 96);
  // A network of all addresses would silently disable the allowlist.
  if (prefix < 1 || prefix > width || !hasNoHostBits(address, prefix, width)) return undefined;
  return { text, address, family, prefix };
}

/** Rejects 10.1.2.3/8: its author wanted either one host or a network, and the text does not say which. */
function hasNoHostBits(address: string, prefix: number, width: number): boolean {
  const value = toInteger(address, width);
  return (value & ((1n << BigInt(width - prefix)) - 1n)) === 0n;
}

function toInteger(address: string, width: number): bigint {
  if (width === 32)
    return address.split('.').reduce((value, part) => (value << 8n) + BigInt(part), 0n);
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const plain = dotted
    ? `${dotted[1]}${((+dotted[2]! << 8) | +dotted[3]!).toString(16)}:${((+dotted[4]! << 8) | +dotted[5]!).toString(16)}`
    : address;
  const [head = '', tail] = plain.split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].reduce(
    (value, part) => (value << 16n) + BigInt(parseInt(part, 16)),
    0n,
  );
}

/** Whether a text is one IPv4 or IPv6 address, without a zone id. */
export const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%');

/**
 * The network that counts as one caller: an IPv4 address itself, or the /64 of an IPv6 address, within which
 * a single host chooses freely.
 * @param address as a socket reports it
 */
export function networkOf(address: string): string {
  const plain = unmapAddress(address);
  if (isIP(plain) !== 6) return plain;
  const network = toInteger(plain, 128) >> 64n;
  const parts = [48n, 32n, 16n, 0n].map((shift) => ((network >> shift) & 0xffffn).toString(16));
  return `${parts.join(':')}::/64`;
}
