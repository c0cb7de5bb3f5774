import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Permission } from '../base/rights/permissions.js';
import { missingPermission } from '../base/errors/api-errors.js';
import { type Caller, callerOf } from './caller.js';

export const PUBLIC = 'public';
export const PERMISSION = 'permission';
const EXTENT = 'extent';

/** Opens a route to callers without a token; the IP allowlist still applies. The open-routes test lists all. */
export const Public = () => SetMetadata(PUBLIC, true);

/**
 * Opens a route, or all routes of a controller, only to callers with this permission.
 * @param extent `somewhere` where the access rule of the route decides about the object
 */
export const RequirePermission = (
  permission: Permission,
  extent: 'everywhere' | 'somewhere' = 'everywhere',
) => applyDecorators(SetMetadata(PERMISSION, permission), SetMetadata(EXTENT, extent));

/** @throws ApiError 403 naming the first of these permissions that the caller lacks */
export function requirePermissions({ rights }: Caller, permissions: Permission[]): void {
  const lacking = permissions.find((permission) => !rights.permits(permission));
  if (lacking !== undefined) throw missingPermission(lacking);
}

const TO_ADD_SECOND_STEP = 'to-add-second-step';

/** Opens a route also to a session that permits nothing but to add a second step (docs/decisions/0053). */
export const ToAddSecondStep = () => SetMetadata(TO_ADD_SECOND_STEP, true);

export const isToAddSecondStep = (reflector: Reflector, context: ExecutionContext): boolean =>
  reflector.get<boolean | undefined>(TO_ADD_SECOND_STEP, context.getHandler()) === true;

/** Whether a route is marked as public. */
export const isPublic = (reflector: Reflector, context: ExecutionContext): boolean =>
  reflector.getAllAndOverride<boolean | undefined>(PUBLIC, [
    context.getHandler(),
    context.getClass(),
  ]) === true;

/** Answers 403 to callers without the permission that the route requires. */
@Injectable()
export class PermissionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const permission = this.reflector.getAllAndOverride<Permission | undefined>(PERMISSION, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (permission === undefined) return true;
    const caller = callerOf(context.switchToHttp().getRequest<Request>());
    const extent = this.reflector.getAllAndOverride<string>(EXTENT, [
      context.getHandler(),
      context.getClass(),
    ]);
    const isPermitted =
      extent === 'somewhere'
        ? caller?.rights.permitsSomewhere(permission)
        : caller?.rights.permits(permission);
    if (isPermitted !== true) throw missingPermission(permission);
    return true;
  }
}
