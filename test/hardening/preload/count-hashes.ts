import { hashing } from '../../../src/credentials/password-hash.js';

/** Loaded into a server before it starts: at SIGUSR2 it prints how many passwords it evaluated. */
process.on('SIGUSR2', () => process.stderr.write(`evaluations ${hashing.evaluations}\n`));
