import config from './jest.config.js';

/** What is slow by nature: faults, hostile input, waits for time limits, plans of large tables, whole backups, every field of every form. */
export default { ...config, testMatch: ['<rootDir>/test/**/*.long.spec.ts'] };
