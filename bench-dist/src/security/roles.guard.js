var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { forbidden } from '../errors/refusals.js';
import { callerOf } from './caller.js';
const PUBLIC = 'public';
const ROLE = 'role';
/** Opens a route to callers without a token, within the address rule. Listed in the open-routes test. */
export const Public = () => SetMetadata(PUBLIC, true);
export const AdministratorOnly = () => SetMetadata(ROLE, 'administrator');
export const SysadminOnly = () => SetMetadata(ROLE, 'sysadmin');
/** Whether a route is marked as public. */
export const isPublic = (reflector, context) => reflector.getAllAndOverride(PUBLIC, [
    context.getHandler(),
    context.getClass(),
]) === true;
/** 403 for callers without the role that the route asks for. */
let RolesGuard = class RolesGuard {
    reflector;
    constructor(reflector) {
        this.reflector = reflector;
    }
    canActivate(context) {
        const role = this.reflector.getAllAndOverride(ROLE, [
            context.getHandler(),
            context.getClass(),
        ]);
        if (role === undefined)
            return true;
        const caller = callerOf(context.switchToHttp().getRequest());
        if (!caller?.[role])
            throw forbidden();
        return true;
    }
};
RolesGuard = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Reflector])
], RolesGuard);
export { RolesGuard };
//# sourceMappingURL=roles.guard.js.map