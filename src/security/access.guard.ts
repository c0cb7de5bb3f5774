import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { unauthenticated } from '../errors/api-errors.js';
import { type Caller, callerOf } from './caller.js';

const ACCESS = 'access';

/**
 * Decides by the caller and the path alone whether a call may go on.
 * @throws ApiError 403, or 404 for what does not exist for the caller
 */
export type AccessRule<Controller> = (
  controller: Controller,
  caller: Caller,
  parameters: Record<string, string>,
) => Promise<unknown> | void;

/** The rule of a route. AccessGuard asks it before anything reads the body. */
export const Access = <Controller>(rule: AccessRule<Controller>): MethodDecorator =>
  SetMetadata(ACCESS, rule);

/**
 * Authorizes before any work is done: a caller without the right gets the same answer, in the same
 * time and without a lock, whatever the body holds.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule<unknown> | undefined>(ACCESS, context.getHandler());
    if (!rule) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const caller = callerOf(request);
    if (!caller) throw unauthenticated();
    const controller: unknown = this.modules.get(context.getClass(), { strict: false });
    await rule(controller, caller, request.params as Record<string, string>);
    return true;
  }
}
