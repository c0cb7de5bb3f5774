var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { IsString } from 'class-validator';
import { filled } from '../credentials/password-rules.js';
/** Longest login in characters; longer ones are refused before anything is looked up. */
const MAX_LOGIN = 250;
/** The payload of variants A and B (interface: POST /api/v2/authentication). */
export class Credentials {
    login;
    /** A password, or an API key. */
    password;
}
__decorate([
    IsString(),
    filled(MAX_LOGIN),
    __metadata("design:type", String)
], Credentials.prototype, "login", void 0);
__decorate([
    IsString(),
    filled(),
    __metadata("design:type", String)
], Credentials.prototype, "password", void 0);
//# sourceMappingURL=credentials.js.map