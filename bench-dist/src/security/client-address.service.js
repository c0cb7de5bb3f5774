var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { parseAddressList, unmapAddress } from '../config/address-list.js';
import { Config } from '../config/config.js';
import { AddressSet } from './address-set.js';
/**
 * The caller's address (decisions: Addresses): the socket's peer; behind a trusted proxy the first
 * address of X-Forwarded-For, read from right to left, that is not itself a trusted proxy.
 */
let ClientAddressService = class ClientAddressService {
    trusted;
    known = new WeakMap();
    constructor(config) {
        this.trusted = new AddressSet(parseAddressList(config.env.TRUSTED_PROXIES).entries);
    }
    of(request) {
        let found = this.known.get(request);
        if (!found)
            this.known.set(request, (found = this.find(request)));
        return found;
    }
    find(request) {
        const peer = unmapAddress(request.socket.remoteAddress ?? '');
        if (!this.trusted.has(peer))
            return { address: peer || undefined, peer, forwarded: [] };
        // Several header lines are one list; without the header the proxy itself calls.
        const header = request.headersDistinct['x-forwarded-for']?.join(',');
        if (header === undefined)
            return { address: peer, peer, forwarded: [] };
        const forwarded = header.split(',').map((part) => part.trim());
        for (const written of forwarded.toReversed()) {
            if (isIP(written) === 0 || written.includes('%'))
                return { address: undefined, peer, forwarded };
            const address = unmapAddress(written);
            if (!this.trusted.has(address))
                return { address, peer, forwarded };
        }
        return { address: unmapAddress(forwarded[0]), peer, forwarded };
    }
};
ClientAddressService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Config])
], ClientAddressService);
export { ClientAddressService };
//# sourceMappingURL=client-address.service.js.map