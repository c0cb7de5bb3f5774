import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { unauthenticated } from '../../errors/api-errors.js';
import type { Bind } from '../../database/bindings.js';
import { type ListRequest, parseListRequest } from './list-request.js';
import { setPagingHeaders } from './paging-headers.js';
import { type Caller, callerOf } from '../../security/caller.js';
import type { ResourceReader } from '../resource-reader.js';
import type { Resource } from '../resource.js';

/** A call of a list: what was asked for, by whom, and where the paging headers go. */
export interface ListCall {
  list: ListRequest;
  caller: Caller;
  request: Request;
  response: Response;
}

/** The call of a list of a resource, as a parameter of a controller's method. */
export const ListOf = createParamDecorator(
  (resource: Resource, context: ExecutionContext): ListCall => {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const caller = callerOf(request);
    if (!caller) throw unauthenticated();
    const list = parseListRequest(request, resource.listableBy(caller));
    return { list, caller, request, response: http.getResponse<Response>() };
  },
);

/**
 * Answers a list with its paging headers.
 * @param narrow a further condition, e.g. the group whose members are listed
 */
export async function answerList(
  reader: ResourceReader,
  resource: Resource,
  { list, caller, request, response }: ListCall,
  narrow?: (bind: Bind) => string,
): Promise<Record<string, unknown>[]> {
  const { items, facts } = await reader.list(resource, caller, list, narrow);
  setPagingHeaders(request, response, list, facts);
  return items;
}
