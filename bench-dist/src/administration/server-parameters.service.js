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
import { parseAddressList } from '../config/address-list.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { conflict, invalidField, notFound } from '../errors/refusals.js';
import { AddressSet } from '../security/address-set.js';
import { AuditService } from '../security/audit.service.js';
import { parameterFault, PARAMETERS, } from '../security/parameter-definitions.js';
import { typedValue } from './parameter.resource.js';
/** Setting server parameters. */
let ServerParametersService = class ServerParametersService {
    config;
    database;
    notifications;
    audit;
    constructor(config, database, notifications, audit) {
        this.config = config;
        this.database = database;
        this.notifications = notifications;
        this.audit = audit;
    }
    /** The key with its vendor segment (interface: Server configuration). */
    fullKey({ key }) {
        return `com.${this.config.env.VENDOR}.${key}`;
    }
    /**
     * The parameter of a full key.
     * @throws Refusal 404
     */
    definitionOf(fullKey) {
        const all = Object.values(PARAMETERS);
        const found = all.find((definition) => this.fullKey(definition) === fullKey);
        if (!found)
            throw notFound();
        return found;
    }
    /**
     * Sets a parameter, at once on every instance; audited in the same transaction.
     * @param value as text, e.g. `3600`
     * @throws Refusal 400 naming `value`; 409 when an address rule would lock out the address of
     * whoever sets it, unless forced
     */
    async set(definition, value, origin, { force = false } = {}) {
        const fault = parameterFault(definition, value);
        if (fault !== undefined)
            throw invalidField('value', fault);
        if (!force)
            refuseLockOut(definition, value, origin);
        await this.database.transaction(async (transaction) => {
            await transaction.rows({
                text: 'INSERT INTO parameters (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING',
                values: [definition.key, definition.defaultValue],
            });
            const [row] = await transaction.rows({
                text: 'SELECT value FROM parameters WHERE key = $1 FOR UPDATE',
                values: [definition.key],
            });
            const before = String(row[0]);
            if (before === value)
                return;
            await transaction.rows({
                text: 'UPDATE parameters SET value = $2, modification_date = now() WHERE key = $1',
                values: [definition.key, value],
            });
            await this.audit.record(transaction, origin, {
                action: 'set-parameter',
                objectUri: `/administration/parameters/${this.fullKey(definition)}`,
                before: { value: typedValue(definition.type, before) },
                after: { value: typedValue(definition.type, value) },
            });
        });
        await this.notifications.settle();
    }
};
ServerParametersService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Config,
        Database,
        Notifications,
        AuditService])
], ServerParametersService);
export { ServerParametersService };
/** Whoever closes the door behind themselves could not open it again over HTTP. */
function refuseLockOut({ type }, value, { address }) {
    if (type !== 'addresses' || address === undefined)
        return;
    if (!new AddressSet(parseAddressList(value).entries).has(address))
        throw conflict(`The list does not admit ${address}, the address of this call, which would lock you out; ?force=true sets it all the same`);
}
//# sourceMappingURL=server-parameters.service.js.map