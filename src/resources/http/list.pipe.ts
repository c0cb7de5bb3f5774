import { createParamDecorator, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { Request } from 'express';
import { invalid, type InvalidField, unauthenticated } from '../../base/errors/api-errors.js';
import { callerOf } from '../../security/caller.js';
import type { Resource } from '../resource.js';
import { type ListPlan, planList } from '../list/plan-list.js';
import { parseListRequest } from '../list/parse-list-request.js';

/** Errors are reported in this order, after those about unknown parameters. */
const ORDER = ['range', 'sorter', 'filters', 'filterMode', 'responseMode'];

/**
 * Turns a request into the plan of a list. One pipe reads all parameters, because Nest reports only the first
 * rejection of several pipes, and clients get all bad parameters in one answer.
 * @throws ApiError 400 with one entry per bad parameter
 */
export class ListPipe implements PipeTransform<Request, ListPlan> {
  constructor(private readonly resource: Resource) {}

  transform(request: Request): ListPlan {
    const caller = callerOf(request);
    if (!caller) throw unauthenticated();
    const bad: InvalidField[] = [];
    const plan = planList(this.resource, caller, parseListRequest(request, bad), bad);
    if (bad.length > 0)
      throw invalid(bad.sort((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name)));
    return plan;
  }
}

const CurrentRequest = createParamDecorator((_: unknown, context: ExecutionContext): Request =>
  context.switchToHttp().getRequest<Request>(),
);

/** Injects the plan of a list of a resource into a controller's method. */
export const List = (resource: Resource): ParameterDecorator =>
  CurrentRequest(new ListPipe(resource));
