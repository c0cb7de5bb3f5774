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
import { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { AddressSet } from './address-set.js';
import { PARAMETERS, } from './parameter-definitions.js';
/** The values of all server parameters at one moment. */
export class ParameterValues {
    stored;
    callerAddresses;
    sysadminAddresses;
    constructor(stored) {
        this.stored = stored;
        this.callerAddresses = new AddressSet(parseAddressList(this.text('callerAddresses')).entries);
        this.sysadminAddresses = new AddressSet(parseAddressList(this.text('sysadminAddresses')).entries);
    }
    text(name) {
        return this.textOf(PARAMETERS[name]);
    }
    textOf({ key, defaultValue }) {
        return this.stored.get(key) ?? defaultValue;
    }
    number(name) {
        return Number(this.text(name));
    }
    flag(name) {
        return this.text(name) === 'true';
    }
}
/** Server parameters from memory while the database can tell of changes, else from the database. */
let ParametersService = class ParametersService {
    database;
    notifications;
    remembered;
    /** Counts changes, so that a reading that a change overtook is not remembered. */
    generation = 0;
    constructor(database, notifications) {
        this.database = database;
        this.notifications = notifications;
        const forget = () => {
            this.generation++;
            this.remembered = undefined;
        };
        notifications.subscribe({ channel: 'parameters', changed: forget, reset: forget });
    }
    /** The values in force; a promise only when the database has to be asked. */
    current() {
        if (this.remembered && this.notifications.isLive)
            return this.remembered;
        return this.read();
    }
    async read() {
        const generation = this.generation;
        const rows = await this.database.rows({
            text: 'SELECT key, value FROM parameters',
            values: [],
        });
        const values = new ParameterValues(new Map(rows));
        if (generation === this.generation && this.notifications.isLive)
            this.remembered = values;
        return values;
    }
};
ParametersService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        Notifications])
], ParametersService);
export { ParametersService };
//# sourceMappingURL=parameters.service.js.map