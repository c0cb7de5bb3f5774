import { backup } from './backup.js';
import { clients } from './clients.js';
import { clock } from './clock.js';
import { crash } from './crash.js';
import { disk } from './disk.js';
import { exhaustion } from './exhaustion.js';
import { linearizable } from './linearizable.js';
import { migrating } from './migrating.js';
import { rollingRestarts } from './rolling-restarts.js';
import type { Section } from '../report-row.js';

/** Section 4C: the server's behaviour when something around it fails. C12 belongs to load, C17 to the cluster. */
export const faults: Section = async (scale, report) => {
  for (const part of [
    crash,
    exhaustion,
    migrating,
    disk,
    clock,
    clients,
    rollingRestarts,
    backup,
    linearizable,
  ])
    await part(scale, report);
};
