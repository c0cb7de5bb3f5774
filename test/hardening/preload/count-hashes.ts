import { hashing } from '../../../src/auth/credentials/password-hash.js';

/** Loaded into a server before it starts: at SIGUSR2 it prints the number of evaluated passwords. */
process.on('SIGUSR2', () => process.stderr.write(`evaluations ${hashing.evaluations}\n`));
