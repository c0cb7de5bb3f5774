import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { forbidden } from '../base/errors/api-errors.js';
import { callerOf } from './caller.js';

export const PUBLIC = 'public';
export const ROLE = 'role';
type Role = 'administrator' | 'sysadmin';

/** Opens a route to callers without a token; the IP allowlist still applies. The open-routes test lists all. */
export const Public = () => SetMetadata(PUBLIC, true);
export const AdministratorOnly = () => SetMetadata(ROLE, 'administrator' satisfies Role);
export const SysadminOnly = () => SetMetadata(ROLE, 'sysadmin' satisfies Role);

/** Whether a route is marked as public. */
export const isPublic = (reflector: Reflector, context: ExecutionContext): boolean =>
  reflector.getAllAndOverride<boolean | undefined>(PUBLIC, [
    context.getHandler(),
    context.getClass(),
  ]) === true;

/** Answers 403 to callers without the role that the route requires. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const role = this.reflector.getAllAndOverride<Role | undefined>(ROLE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (role === undefined) return true;
    const caller = callerOf(context.switchToHttp().getRequest<Request>());
    if (!caller?.[role]) throw forbidden();
    return true;
  }
}
