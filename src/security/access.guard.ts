import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { unauthenticated } from '../errors/api-errors.js';
import { stateOf } from '../http/request-state.js';
import { type Caller, callerOf } from './caller.js';

const ACCESS = 'access';

/** Stands for the caller's id in the routes of an account. */
const ME = 'me';

/**
 * Decides from the caller and the path alone whether a request may proceed.
 * @throws ApiError 403, or 404 for an object that the caller may not see
 */
export type AccessRule<Controller> = (
  controller: Controller,
  caller: Caller,
  parameters: Record<string, string>,
) => Promise<unknown> | void;

/** Sets the rule of a route. AccessGuard applies it before the body is read. */
export const Access = <Controller>(rule: AccessRule<Controller>): MethodDecorator =>
  SetMetadata(ACCESS, rule);

/**
 * Finds the id of the object that a path names otherwise.
 * @returns undefined where the caller sees no such object
 */
export type NameFinder<Controller> = (
  controller: Controller,
  caller: Caller,
  name: string,
) => Promise<string | undefined>;

const NAMES = 'names-in-path';

/** Lets the routes of a controller take names where they take ids. */
export const NamesInPath = <Controller>(find: NameFinder<Controller>): ClassDecorator =>
  SetMetadata(NAMES, find);

const IS_ID = /^\d+$/;

/**
 * Authorizes a request before any other work: an unauthorized caller gets the same answer in the same time,
 * without a lock, whatever the body contains. Below `/directory/users/me`, the rule and the controller get the
 * caller's id, and where a path names an object otherwise, the id of the object.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const caller = callerOf(request);
    if (stateOf(request).facts.isBelowMe && request.params.id === ME && caller)
      request.params.id = caller.id;
    const controller: unknown = this.modules.get(context.getClass(), { strict: false });
    const find = this.reflector.get<NameFinder<unknown> | undefined>(NAMES, context.getClass());
    const { id } = request.params;
    if (find && caller && typeof id === 'string' && !IS_ID.test(id))
      request.params.id = (await find(controller, caller, id)) ?? id;
    const rule = this.reflector.get<AccessRule<unknown> | undefined>(ACCESS, context.getHandler());
    if (!rule) return true;
    if (!caller) throw unauthenticated();
    await rule(controller, caller, request.params as Record<string, string>);
    return true;
  }
}
