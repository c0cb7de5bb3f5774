var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { IsOptional, IsString } from 'class-validator';
import { parseAddressList } from '../config/address-list.js';
import { filled } from '../credentials/password-rules.js';
import { satisfies } from '../negotiation/validate-body.js';
import { timestampFault } from '../resources/timestamps.js';
/** `PUT /directory/users/{id}/password`; administrators leave currentPassword null for others. */
export class PasswordChange {
    currentPassword = null;
    password;
}
__decorate([
    IsOptional(),
    IsString(),
    filled(),
    __metadata("design:type", Object)
], PasswordChange.prototype, "currentPassword", void 0);
__decorate([
    IsString(),
    filled(),
    __metadata("design:type", String)
], PasswordChange.prototype, "password", void 0);
/** Longest name and address list of an API key, in characters. */
const MAX_KEY_NAME = 100;
const MAX_KEY_ADDRESSES = 2_000;
/** `POST /directory/users/{id}/api-keys`; null is no limit. */
export class ApiKeyBody {
    name;
    expiration = null;
    addresses = null;
}
__decorate([
    IsString(),
    filled(MAX_KEY_NAME),
    __metadata("design:type", String)
], ApiKeyBody.prototype, "name", void 0);
__decorate([
    IsOptional(),
    satisfies(expirationFault),
    __metadata("design:type", Object)
], ApiKeyBody.prototype, "expiration", void 0);
__decorate([
    IsOptional(),
    IsString(),
    filled(MAX_KEY_ADDRESSES),
    satisfies(addressesFault),
    __metadata("design:type", Object)
], ApiKeyBody.prototype, "addresses", void 0);
/** `POST /directory/invitations` */
export class InvitationUse {
    code;
    password;
}
__decorate([
    IsString(),
    filled(),
    __metadata("design:type", String)
], InvitationUse.prototype, "code", void 0);
__decorate([
    IsString(),
    filled(),
    __metadata("design:type", String)
], InvitationUse.prototype, "password", void 0);
function expirationFault(value) {
    const fault = timestampFault(value);
    if (fault !== undefined)
        return fault;
    return Date.parse(String(value)) > Date.now() ? undefined : 'must be in the future';
}
function addressesFault(value) {
    const { entries, unreadable } = parseAddressList(String(value));
    if (unreadable.length > 0)
        return `cannot be read: ${unreadable.join(', ')}; expected IPv4 or IPv6 addresses or CIDR networks`;
    return entries.length > 0 ? undefined : 'must hold an address, or be null';
}
//# sourceMappingURL=account.bodies.js.map