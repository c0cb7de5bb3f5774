import { BlockList, isIP } from 'node:net';
import { unmapAddress } from '../../base/config/parse-cidr-list.js';

/**
 * Networks that no name on the Internet may lead to: the special-purpose registries of IANA (RFC 6890), multicast, and
 * the forms of IPv6 that carry an IPv4 address, which a gateway may unwrap (NAT64, 6to4, Teredo).
 */
const SPECIAL: Record<'ipv4' | 'ipv6', string[]> = {
  ipv4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  ipv6: [
    '::/8',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '100:0:0:1::/64',
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
    '2620:4f:8000::/48',
    '3fff::/20',
    '5f00::/16',
    'fc00::/7',
    'fe80::/10',
    'fec0::/10',
    'ff00::/8',
  ],
};

/** A list for each family: one list would find an IPv4 address in an IPv6 network, in its mapped form. */
const LISTS = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const family of ['ipv4', 'ipv6'] as const)
  for (const network of SPECIAL[family]) {
    const [address = '', prefix] = network.split('/');
    LISTS[family].addSubnet(address, Number(prefix), family);
  }

/** Whether an address belongs to one host on the Internet, and not to a network inside. */
export function isPublicAddress(address: string): boolean {
  const plain = unmapAddress(address);
  const version = isIP(plain);
  if (version === 0 || plain.includes('%')) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return !LISTS[family].check(plain, family);
}
