import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { unauthenticated } from '../errors/refusals.js';
import { type ListRequest, parseListRequest } from '../listing/list-request.js';
import { callerOf } from '../security/caller.js';
import type { Resource } from './resource.js';

/** What a list of a resource was asked for, as a parameter of a controller's method. */
export const ListOf = createParamDecorator(
  (resource: Resource, context: ExecutionContext): ListRequest => {
    const request = context.switchToHttp().getRequest<Request>();
    const caller = callerOf(request);
    if (!caller) throw unauthenticated();
    return parseListRequest(request, resource.listableBy(caller));
  },
);
