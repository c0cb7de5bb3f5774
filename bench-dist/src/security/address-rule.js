var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable } from '@nestjs/common';
import { answerRefusal } from '../errors/answer-refusal.js';
import { refusalOf } from '../errors/refusal-of.js';
import { addressRefused } from '../errors/refusals.js';
import { ClientAddressService } from './client-address.service.js';
import { setAddress } from './origin.js';
import { ParametersService } from './parameters.service.js';
/** Probes of a supervisor come from anywhere and tell nothing but up or not. */
export const PROBES = new Set(['/health/live', '/health/ready']);
/**
 * The address rule (interface: Server configuration): decided for every path, known or not, before
 * anything of the request is read. It stands in front of the framework's guards, because those do
 * not run for unknown routes, and because a body is parsed before them.
 */
let AddressRule = class AddressRule {
    addresses;
    parameters;
    constructor(addresses, parameters) {
        this.addresses = addresses;
        this.parameters = parameters;
    }
    /** Express middleware. */
    handle = (request, response, next) => {
        if (PROBES.has(request.path))
            return next();
        const decide = async () => {
            try {
                const { callerAddresses } = await this.parameters.current();
                const { address } = this.addresses.of(request);
                if (address === undefined || !callerAddresses.has(address))
                    throw addressRefused();
                setAddress(request, address);
            }
            catch (error) {
                return answerRefusal(response, refusalOf(error), request.path);
            }
            next();
        };
        void decide();
    };
};
AddressRule = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [ClientAddressService,
        ParametersService])
], AddressRule);
export { AddressRule };
//# sourceMappingURL=address-rule.js.map