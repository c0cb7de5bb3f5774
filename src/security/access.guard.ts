import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Permission } from '../base/rights/permissions.js';
import { unauthenticated } from '../base/errors/api-errors.js';
import { stateOf } from '../http/request-state.js';
import { type Caller, callerOf } from './caller.js';

export const ACCESS = 'access';

/** The placeholder for the caller's id in the routes of an account. */
const ME = 'me';

/**
 * Decides from the caller and the path alone whether a request may proceed.
 * @throws ApiError 403, or 404 for an object that the caller may not see
 */
export interface AccessRule<Controller> {
  (
    controller: Controller,
    caller: Caller,
    parameters: Record<string, string>,
  ): Promise<unknown> | void;
  /** The permission that it asks for with what is not the caller's own; the API description names it. */
  permission?: Permission;
}

/** A rule with the permission that it asks for. */
export const asking = <Controller>(
  permission: Permission,
  rule: AccessRule<Controller>,
): AccessRule<Controller> => Object.assign(rule, { permission });

/** Sets the rule of a route. AccessGuard applies it before the body is read. */
export const Access = <Controller>(rule: AccessRule<Controller>): MethodDecorator =>
  SetMetadata(ACCESS, rule);

/**
 * Finds the id of the object that a path names by a reference or login.
 * @returns undefined when the caller sees no such object
 */
export type NameFinder = (
  modules: ModuleRef,
  caller: Caller,
  name: string,
) => Promise<string | undefined>;

const NAMES = 'names-in-path';

/** Lets the routes of a controller accept names besides ids in these parameters of their paths. */
export const NamesInPath = (finders: Record<string, NameFinder>): ClassDecorator =>
  SetMetadata(NAMES, finders);

/** The parameters in which the routes of a controller accept names. */
export const namedParameters = (controller: Type): string[] =>
  Object.keys((Reflect.getMetadata(NAMES, controller) as object | undefined) ?? {});

/** Digits alone are an id. */
const IS_ID = /^\d+$/;

/**
 * Authorizes a request before any other work: an unauthorized caller gets the same answer in the same time, without a
 * lock, whatever the body contains. Below `/directory/users/me`, the rule and the controller get the caller's id. For a
 * name in a path, they get the id of the object.
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
    if (caller) await this.findNamed(request, caller, context);
    const rule = this.reflector.get<AccessRule<unknown> | undefined>(ACCESS, context.getHandler());
    if (!rule) return true;
    if (!caller) throw unauthenticated();
    const controller: unknown = this.modules.get(context.getClass(), { strict: false });
    await rule(controller, caller, request.params as Record<string, string>);
    return true;
  }

  private async findNamed(
    { params }: Request,
    caller: Caller,
    context: ExecutionContext,
  ): Promise<void> {
    const finders = this.reflector.get<Record<string, NameFinder> | undefined>(
      NAMES,
      context.getClass(),
    );
    for (const [parameter, find] of Object.entries(finders ?? {})) {
      const name = params[parameter];
      if (typeof name === 'string' && !IS_ID.test(name))
        params[parameter] = (await find(this.modules, caller, name)) ?? name;
    }
  }
}
