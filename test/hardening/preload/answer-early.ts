import { register } from 'node:module';

/**
 * Loaded into a server before it starts, as the positive control of the timing goal: a login that
 * does not exist is refused before a password is evaluated, and no refusal is held back.
 */
register(new URL('./answer-early.hooks.js', import.meta.url));
