import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { parseCidrList, unmapAddress } from '../base/config/parse-cidr-list.js';
import { Config } from '../base/config/config.js';
import { type ClientAddress, stateOf } from '../http/request-state.js';
import { CidrSet } from './cidr-set.js';

/**
 * Determines the client's address (docs/api-contract.md#addresses): the socket's peer or, behind a trusted
 * proxy, the first address of X-Forwarded-For from the right that is not a trusted proxy itself.
 */
@Injectable()
export class ClientAddressService {
  private readonly trusted: CidrSet;

  constructor(config: Config) {
    this.trusted = new CidrSet(parseCidrList(config.env.TRUSTED_PROXIES).entries);
  }

  of(request: IncomingMessage): ClientAddress {
    return (stateOf(request).clientAddress ??= this.find(request));
  }

  private find(request: IncomingMessage): ClientAddress {
    const peer = unmapAddress(request.socket.remoteAddress ?? '');
    if (!this.trusted.has(peer)) return { address: peer || undefined, peer, forwarded: [] };
    // Several header lines form one list. Without the header, the proxy itself is the client.
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
