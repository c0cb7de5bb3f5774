import { backup } from './faults/backup.js';
import { clients } from './faults/clients.js';
import { clock } from './faults/clock.js';
import { crash } from './faults/crash.js';
import { disk } from './faults/disk.js';
import { exhaustion } from './faults/exhaustion.js';
import { failover } from './faults/failover.js';
import { migrating } from './faults/migrating.js';
/** Section 4C: what the server does when something around it breaks. C12 is under load. */
export const faults = async (scale, report) => {
    for (const part of [crash, failover, exhaustion, migrating, disk, clock, clients, backup])
        await part(scale, report);
};
//# sourceMappingURL=faults.js.map