import { type Section } from './row.js';

/** Section 4B: who gets in. */
export const authentication: Section = async () => {};
