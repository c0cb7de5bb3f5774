import { overload } from './load/overload.js';
import { speed } from './load/speed.js';
import { steadiness } from './load/steadiness.js';
/** Section 4D, and C12: what the server does under load. */
export const load = async (scale, report) => {
    for (const part of [overload, speed, steadiness])
        await part(scale, report);
};
//# sourceMappingURL=load.js.map