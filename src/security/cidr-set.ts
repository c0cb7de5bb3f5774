import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type CidrEntry, parseCidrList, unmapAddress } from '../config/parse-cidr-list.js';

/** Addresses and networks that are allowed. An empty set admits nobody. */
export class CidrSet {
  private readonly rules: { entry: CidrEntry; list: BlockList }[];
  private readonly all = new BlockList();
  /** Most calls come from a few addresses, again and again. */
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

  /** @param address as a socket gives it; `::ffff:a.b.c.d` is `a.b.c.d`, anything unreadable is no member */
  has(address: string): boolean {
    let found = this.known.get(address);
    if (found === undefined) this.known.set(address, (found = matches(this.all, address)));
    return found;
  }

  /** The first entry that admits an address, as it was written. */
  ruleFor(address: string): string | undefined {
    return this.rules.find(({ list }) => matches(list, address))?.entry.text;
  }
}

/** The addresses and networks of a list that was checked when it was written. */
export const cidrSet = (list: string): CidrSet => new CidrSet(parseCidrList(list).entries);

function matches(list: BlockList, address: string): boolean {
  const plain = unmapAddress(address);
  const version = isIP(plain);
  // A zone id passes isIP, but names an interface and no address.
  if (version === 0 || plain.includes('%')) return false;
  return list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}
