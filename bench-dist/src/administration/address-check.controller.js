var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { Controller, Get, Req } from '@nestjs/common';
import { isAddress } from '../config/address-list.js';
import { invalidField } from '../errors/refusals.js';
import { KnownParameters } from '../negotiation/content.guard.js';
import { queryOf } from '../negotiation/query-string.js';
import { ClientAddressService } from '../security/client-address.service.js';
import { ParametersService } from '../security/parameters.service.js';
import { AdministratorOnly } from '../security/roles.guard.js';
export const judge = (rules, address) => {
    const rule = address === undefined ? undefined : rules.ruleFor(address);
    return { allowed: rule !== undefined, rule: rule ?? null };
};
/** decisions: GET /api/v2/administration/address-check */
let AddressCheckController = class AddressCheckController {
    addresses;
    parameters;
    constructor(addresses, parameters) {
        this.addresses = addresses;
        this.parameters = parameters;
    }
    async check(request) {
        const [asked] = queryOf(request).get('address') ?? [];
        if (asked !== undefined && !isAddress(asked))
            throw invalidField('address', 'expected an IPv4 or IPv6 address');
        const { address: seen, peer, forwarded } = this.addresses.of(request);
        const address = asked ?? seen;
        const { callerAddresses, sysadminAddresses } = await this.parameters.current();
        return {
            address: address ?? null,
            peer,
            forwarded,
            callers: judge(callerAddresses, address),
            sysadmin: judge(sysadminAddresses, address),
        };
    }
};
__decorate([
    Get(),
    AdministratorOnly(),
    KnownParameters('address'),
    __param(0, Req()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Promise)
], AddressCheckController.prototype, "check", null);
AddressCheckController = __decorate([
    Controller('api/v2/administration/address-check'),
    __metadata("design:paramtypes", [ClientAddressService,
        ParametersService])
], AddressCheckController);
export { AddressCheckController };
//# sourceMappingURL=address-check.controller.js.map