import { createParamDecorator } from '@nestjs/common';
import { unauthenticated } from '../errors/refusals.js';
const callers = new WeakMap();
/** Remembers who calls; the token guard alone does this. */
export const setCaller = (request, caller) => {
    callers.set(request, caller);
};
/** The caller of a request, or undefined on a public route. */
export const callerOf = (request) => callers.get(request);
/** The caller as a parameter of a controller's method. */
export const CurrentCaller = createParamDecorator((_, context) => {
    const caller = callerOf(context.switchToHttp().getRequest());
    if (!caller)
        throw unauthenticated();
    return caller;
});
//# sourceMappingURL=caller.js.map