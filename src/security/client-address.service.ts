import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { parseCidrList, unmapAddress } from '../config/parse-cidr-list.js';
import { Config } from '../config/config.js';
import { CidrSet } from './cidr-set.js';

/** Which address a request comes from, and how that was found. */
export interface ClientAddress {
  /** The address that counts; undefined when it cannot be told, which is refused. */
  address: string | undefined;
  peer: string;
  /** X-Forwarded-For as it was read, left to right; empty when the peer is no trusted proxy. */
  forwarded: string[];
}

/**
 * The caller's address (docs/api-contract.md#addresses): the socket's peer; behind a trusted proxy
 * the first address of X-Forwarded-For, read from right to left, that is not itself a trusted
 * proxy.
 */
@Injectable()
export class ClientAddressService {
  private readonly trusted: CidrSet;
  private readonly known = new WeakMap<IncomingMessage, ClientAddress>();

  constructor(config: Config) {
    this.trusted = new CidrSet(parseCidrList(config.env.TRUSTED_PROXIES).entries);
  }

  of(request: IncomingMessage): ClientAddress {
    let found = this.known.get(request);
    if (!found) this.known.set(request, (found = this.find(request)));
    return found;
  }

  private find(request: IncomingMessage): ClientAddress {
    const peer = unmapAddress(request.socket.remoteAddress ?? '');
    if (!this.trusted.has(peer)) return { address: peer || undefined, peer, forwarded: [] };
    // Several header lines are one list; without the header the proxy itself calls.
    const header = request.headersDistinct['x-forwarded-for']?.join(',');
    if (header === undefined) return { address: peer, peer, forwarded: [] };
    const forwarded = header.split(',').map((part) => part.trim());
    for (const written of forwarded.toReversed()) {
      if (isIP(written) === 0 || written.includes('%'))
        return { address: undefined, peer, forwarded };
      const address = unmapAddress(written);
      if (!this.trusted.has(address)) return { address, peer, forwarded };
    }
    return { address: unmapAddress(forwarded[0]!), peer, forwarded };
  }
}
