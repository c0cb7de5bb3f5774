import { BlockList, isIP } from 'node:net';
import { unmapAddress } from '../config/address-list.js';
/** Addresses and networks that are allowed. An empty set admits nobody. */
export class AddressSet {
    rules;
    all = new BlockList();
    constructor(entries) {
        this.rules = entries.map((entry) => {
            const list = new BlockList();
            for (const target of [list, this.all])
                target.addSubnet(entry.address, entry.prefix, entry.family);
            return { entry, list };
        });
    }
    get isEmpty() {
        return this.rules.length === 0;
    }
    /** @param address as a socket gives it; `::ffff:a.b.c.d` is `a.b.c.d`, anything unreadable is no member */
    has(address) {
        return matches(this.all, address);
    }
    /** The first entry that admits an address, as it was written. */
    ruleFor(address) {
        return this.rules.find(({ list }) => matches(list, address))?.entry.text;
    }
}
function matches(list, address) {
    const plain = unmapAddress(address);
    const version = isIP(plain);
    // A zone id passes isIP, but names an interface and no address.
    if (version === 0 || plain.includes('%'))
        return false;
    return list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}
//# sourceMappingURL=address-set.js.map