import { overload } from './load/overload.js';
import { speed } from './load/speed.js';
import { steadiness } from './load/steadiness.js';
import type { Section } from './row.js';

/** Section 4D, and C12: what the server does under load. */
export const load: Section = async (scale, report) => {
  for (const part of [overload, speed, steadiness]) await part(scale, report);
};
