import { availableParallelism } from 'node:os';

/** Two more than cores: tests wait for PostgreSQL, the browser and time limits. Six on two cores take as long as four. */
const WORKERS = Math.min(4, availableParallelism() + 2);

/** A worker above it ends after its file, and another one takes its place: each file leaves some 15 MB behind. */
const MOST_MEMORY = '1GB';

/** The runtime is the project's own: see CONTRIBUTING.md. */
const config = {
  testMatch: ['<rootDir>/{src,test}/**/*.spec.ts', '!**/*.long.spec.ts'],
  runtime: '<rootDir>/test/runtime/runtime.cjs',
  testEnvironment: '<rootDir>/test/runtime/environment.mjs',
  transform: {},
  setupFilesAfterEnv: ['<rootDir>/test/support/report-answers.ts'],
  globalSetup: '<rootDir>/test/global-setup.mjs',
  globalTeardown: '<rootDir>/test/global-teardown.mjs',
  maxWorkers: WORKERS,
  workerIdleMemoryLimit: MOST_MEMORY,
  testTimeout: 120_000,
};

export default config;
