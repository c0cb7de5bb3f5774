import { availableParallelism } from 'node:os';

/** Two more than cores: tests wait for PostgreSQL and the browser half of their time. No more than four: they share one PostgreSQL. */
const WORKERS = Math.min(4, availableParallelism() + 2);

/**
 * A worker above it ends after its file, and another one takes its place: ES modules under Jest leave 40 MB behind with
 * each file, and collecting garbage takes longer and longer.
 */
const MOST_MEMORY = '1GB';

/** ES modules under Jest: see CONTRIBUTING.md. */
const config = {
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'es6' },
      },
    ],
  },
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/every-answer.ts'],
  globalSetup: '<rootDir>/test/global-setup.mjs',
  globalTeardown: '<rootDir>/test/global-teardown.mjs',
  maxWorkers: WORKERS,
  workerIdleMemoryLimit: MOST_MEMORY,
  testTimeout: 120_000,
};

export default config;
