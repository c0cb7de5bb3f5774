import { createParamDecorator } from '@nestjs/common';
import { unauthenticated } from '../errors/refusals.js';
import { parseListRequest } from '../listing/list-request.js';
import { setPagingHeaders } from '../listing/paging-headers.js';
import { callerOf } from '../security/caller.js';
/** The call of a list of a resource, as a parameter of a controller's method. */
export const ListOf = createParamDecorator((resource, context) => {
    const http = context.switchToHttp();
    const request = http.getRequest();
    const caller = callerOf(request);
    if (!caller)
        throw unauthenticated();
    const list = parseListRequest(request, resource.listableBy(caller));
    return { list, caller, request, response: http.getResponse() };
});
/**
 * Answers a list with its paging headers.
 * @param narrow a further condition, e.g. the group whose members are listed
 */
export async function answerList(reader, resource, { list, caller, request, response }, narrow) {
    const { items, facts } = await reader.list(resource, caller, list, narrow);
    setPagingHeaders(request, response, list, facts);
    return items;
}
//# sourceMappingURL=list-of.decorator.js.map