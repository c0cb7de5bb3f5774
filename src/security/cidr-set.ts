import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type CidrEntry, parseCidrList, unmapAddress } from '../base/config/parse-cidr-list.js';

/** A set of IP addresses and networks. An empty set contains no address. */
export class CidrSet {
  private readonly rules: { entry: CidrEntry; list: BlockList }[];
  private readonly all = new BlockList();
  /** A cache, because most requests come from a few addresses. */
  private readonly known = new LRUCache<string, boolean>({ max: 1_000 });

  constructor(entries: CidrEntry[]) {
    this.rules = entries.map((entry) => {
      const list = new BlockList();
      for (const target of [list, this.all])
        target.addSubnet(entry.address, entry.prefix, entry.family);
      return { entry, list };
    });
  }

  get isEmpty(): boolean {
    return this.rules.length === 0;
  }

  /** @param address of a socket; `::ffff:a.b.c.d` equals `a.b.c.d`, and an invalid address is no member */
  has(address: string): boolean {
    let found = this.known.get(address);
    if (found === undefined) this.known.set(address, (found = matches(this.all, address)));
    return found;
  }

  /** The first entry that contains an address, in its original spelling. */
  ruleFor(address: string): string | undefined {
    return this.rules.find(({ list }) => matches(list, address))?.entry.text;
  }
}

/** The set of a list that was validated when it was stored. */
export const cidrSet = (list: string): CidrSet => new CidrSet(parseCidrList(list).entries);

function matches(list: BlockList, address: string): boolean {
  const plain = unmapAddress(address);
  const version = isIP(plain);
  // isIP accepts a zone id, but that names an interface, not an address.
  if (version === 0 || plain.includes('%')) return false;
  return list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}
