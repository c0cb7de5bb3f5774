import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { parseCidrList, unmapAddress } from '../../base/config/parse-cidr-list.js';
import { parseDestinations } from '../../base/config/parse-destinations.js';
import { CidrSet } from '../../security/cidr-set.js';
import { isPublicAddress } from './special-addresses.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/** How long resolving a name may take, in milliseconds. */
const RESOLVE_TIMEOUT = 5_000;

/** The fault of a URL to which the server never pushes, whatever the server parameter allows; undefined without one. */
export function faultOfUrl(text: string): Reason | undefined {
  if (/[\p{C}\p{Z}\\]/u.test(text) || !URL.canParse(text)) return NO_URL;
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return NO_URL;
  if (username !== '' || password !== '') return reason('has-userinfo');
  return hash === '' ? undefined : reason('has-fragment');
}

const NO_URL = reason('not-a-web-address');

const PLAIN_HTTP = reason('plain-http-destination');

/** Why nothing is sent to a destination. Its message is for administrators. */
export class ForbiddenDestination extends Error {}

/** An address to which a connection may be opened. */
export interface CheckedAddress {
  address: string;
  family: 4 | 6;
}

/** Finds the addresses of a name. */
export type Resolve = (host: string) => Promise<string[]>;

/**
 * The destinations that the server parameter allows (docs/api-contract.md#destinations). A destination is allowed by
 * the name of its host or by a network that contains its address. A private address must also be in a network of the
 * list, even if the name is allowed: the owner of the name can point it anywhere.
 */
export class Destinations {
  private readonly hosts: string[];
  private readonly networks: CidrSet;

  constructor(
    readonly text: string,
    private readonly resolve: Resolve = resolveName,
  ) {
    const { hosts, networks } = parseDestinations(text);
    this.hosts = hosts;
    this.networks = new CidrSet(parseCidrList(networks).entries);
  }

  get isEmpty(): boolean {
    return this.hosts.length === 0 && this.networks.isEmpty;
  }

  /** Why no connection to a URL is allowed, as far as this is known before its name is resolved. */
  faultOf(url: URL): Reason | undefined {
    const host = hostOf(url);
    if (url.protocol === 'http:' && this.networks.isEmpty) return PLAIN_HTTP;
    const isAllowed =
      this.allowsName(host) ||
      (isIP(host) === 0 ? !this.networks.isEmpty : this.networks.has(host));
    return isAllowed ? undefined : reason('destination-not-allowed', { host });
  }

  /**
   * Resolves the host of a URL and checks all its addresses. The caller must connect to the returned address, because
   * another lookup may return another one.
   * @throws ForbiddenDestination, or the error of the resolver
   */
  async check(url: URL): Promise<CheckedAddress> {
    const fault = faultOfUrl(url.href);
    if (fault !== undefined) throw new ForbiddenDestination(`the address ${fault.message}`);
    const host = hostOf(url);
    const addresses = isIP(host) === 0 ? await this.resolve(host) : [host];
    if (addresses.length === 0) throw new ForbiddenDestination(`${host} has no address`);
    const isNamed = this.allowsName(host);
    for (const address of addresses) {
      const isListed = this.networks.has(address);
      if (!isListed && !isNamed)
        throw new ForbiddenDestination(
          `the server parameter deliveries.destinations does not allow ${host}`,
        );
      if (!isListed && !isPublicAddress(address))
        throw new ForbiddenDestination(
          `${host} leads to ${address}, an inner address that the server parameter deliveries.destinations does not list`,
        );
      if (!isListed && url.protocol === 'http:') throw new ForbiddenDestination(PLAIN_HTTP.message);
    }
    const address = unmapAddress(addresses[0]!);
    return { address, family: isIP(address) === 6 ? 6 : 4 };
  }

  private allowsName(host: string): boolean {
    if (isIP(host) !== 0) return false;
    const name = host.toLowerCase().replace(/\.$/, '');
    return this.hosts.some((entry) =>
      entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry,
    );
  }
}

/** The host of a URL: a name, or an address without brackets. The parser has turned every spelling of IPv4 into dots. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

async function resolveName(host: string): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${host} was not resolved in time`)),
      RESOLVE_TIMEOUT,
    );
  });
  try {
    const found = await Promise.race([lookup(host, { all: true, verbatim: false }), late]);
    return found.map(({ address }) => address);
  } finally {
    clearTimeout(timer);
  }
}
