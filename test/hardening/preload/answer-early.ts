import { register } from 'node:module';

/**
 * Loaded into a server before it starts, as the positive control of the timing goal: the server rejects an
 * unknown login before it evaluates a password, and delays no error.
 */
register(new URL('./answer-early.hooks.js', import.meta.url));
