import { RequestMethod, type Type } from '@nestjs/common';
import {
  HEADERS_METADATA,
  HTTP_CODE_METADATA,
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { MetadataScanner, Reflector } from '@nestjs/core';
import type { Permission } from '../../base/rights/permissions.js';
import { REVALIDATED } from '../../http/etag.js';
import { FixedBodyPipe } from '../../http/fixed-body.pipe.js';
import { ANY_CONTENT, PRODUCES, QUERY } from '../../http/request-format.guard.js';
import { routeFacts, type RouteFacts } from '../../http/route-facts.js';
import { RESOURCE } from '../http/resource.controller.js';
import type { Resource } from '../resource.js';
import { ACCESS, type AccessRule, namedParameters } from '../../security/access.guard.js';
import { PUBLIC, PERMISSION } from '../../security/permission.guard.js';
import { API_OPERATION, type OperationDescription } from './api-operation.decorator.js';

/** A route of a controller and the facts that its decorators state. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The path template, e.g. `/api/v2/directory/users/{id}`. */
  path: string;
  controller: Type;
  /** The parameters of its path that take names besides ids. */
  namedParameters: string[];
  /** The name of the controller's method. */
  handler: string;
  /** The status on success. */
  status: number;
  description: OperationDescription | undefined;
  /** The resource of its controller. */
  resource: Resource | undefined;
  isPublic: boolean;
  facts: RouteFacts;
  /** The permission without which a call is refused, unless it is about the caller's own. */
  permission: Permission | undefined;
  /** Its answer depends neither on the Accept header nor on the body. */
  takesAnyContent: boolean;
  /** An Accept header can exclude its answer. */
  isNegotiated: boolean;
  /** GetRevalidated adds an ETag to its answer. */
  isRevalidated: boolean;
  /** The class of its body of fixed shape. */
  bodyClass: Type | undefined;
  /** The query parameters that it accepts; undefined when it parses them itself. */
  knownParameters: string[] | undefined;
}

const METHODS: Partial<Record<RequestMethod, Route['method']>> = {
  [RequestMethod.GET]: 'get',
  [RequestMethod.POST]: 'post',
  [RequestMethod.PUT]: 'put',
  [RequestMethod.PATCH]: 'patch',
  [RequestMethod.DELETE]: 'delete',
};

const reflector = new Reflector();
const scanner = new MetadataScanner();

/** The routes of controllers, except those that answer every method. */
export const routesOf = (controllers: Type[]): Route[] =>
  controllers.flatMap((controller) =>
    scanner
      .getAllMethodNames(controller.prototype as object)
      .flatMap((handler) => routeOf(controller, handler) ?? []),
  );

function routeOf(controller: Type, name: string): Route | undefined {
  const handler = (controller.prototype as Record<string, () => unknown>)[name]!;
  const read = <T>(key: string): T | undefined =>
    reflector.getAllAndOverride<T | undefined>(key, [handler, controller]);
  const own = <T>(key: string): T | undefined => reflector.get<T | undefined>(key, handler);
  const method = METHODS[own<RequestMethod>(METHOD_METADATA)!];
  if (!method) return undefined;
  const path = [reflector.get<string>(PATH_METADATA, controller), own<string>(PATH_METADATA)!]
    .map((part) => part.replace(/^\/+|\/+$/g, ''))
    .filter((part) => part !== '')
    .map((part) => `/${part.replace(/:(\w+)/g, '{$1}')}`)
    .join('');
  const headers = own<{ name: string; value: string }[]>(HEADERS_METADATA) ?? [];
  const query = read<string[] | 'any'>(QUERY) ?? [];
  return {
    method,
    path,
    controller,
    namedParameters: namedParameters(controller),
    handler: name,
    status: own<number>(HTTP_CODE_METADATA) ?? (method === 'post' ? 201 : 200),
    description: own<OperationDescription>(API_OPERATION),
    resource: read<Resource>(RESOURCE),
    isPublic: read<boolean>(PUBLIC) === true,
    facts: routeFacts(method.toUpperCase(), path, ''),
    permission: read<Permission>(PERMISSION) ?? own<AccessRule<unknown>>(ACCESS)?.permission,
    takesAnyContent: read<boolean>(ANY_CONTENT) === true,
    isNegotiated: read<string[]>(PRODUCES)?.length !== 0,
    isRevalidated: headers.some(({ value }) => value === REVALIDATED),
    bodyClass: bodyClassOf(controller, name),
    knownParameters: query === 'any' ? undefined : query,
  };
}

/** The type of the parameter that FixedBodyPipe checks. */
function bodyClassOf(controller: Type, handler: string): Type | undefined {
  const prototype = controller.prototype as object;
  type Parameter = { index: number; pipes: unknown[] };
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ??
    {}) as Record<string, Parameter>;
  const checked = Object.values(parameters).find(({ pipes }) => pipes?.includes(FixedBodyPipe));
  const types = Reflect.getMetadata('design:paramtypes', prototype, handler) as Type[];
  return checked && types[checked.index];
}
