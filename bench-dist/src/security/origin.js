import { createParamDecorator } from '@nestjs/common';
import { callerOf } from './caller.js';
const addresses = new WeakMap();
/** Remembers the address that the address rule admitted. */
export const setAddress = (request, address) => {
    addresses.set(request, address);
};
/** Who calls, from where, under which request id. */
export const originOf = (request) => ({
    caller: callerOf(request),
    address: addresses.get(request),
    requestId: typeof request.id === 'string' ? request.id : undefined,
});
/** The origin as a parameter of a controller's method. */
export const RequestOrigin = createParamDecorator((_, context) => originOf(context.switchToHttp().getRequest()));
//# sourceMappingURL=origin.js.map