import { overload } from './overload.js';
import { speed } from './speed.js';
import { steadiness } from './steadiness.js';
import type { Section } from '../report-row.js';

/** Section 4D, and C12: the server's behaviour under load. */
export const load: Section = async (scale, report) => {
  for (const part of [overload, speed, steadiness]) await part(scale, report);
};
