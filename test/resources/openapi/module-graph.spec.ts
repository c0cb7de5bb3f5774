import { ModulesContainer } from '@nestjs/core';
import { expect, it } from '@jest/globals';
import { startTestServer } from '../../support/test-server.js';

/** Modules of Nest and TypeORM that make themselves global. */
const LIBRARIES = ['InternalCoreModule', 'TypeOrmCoreModule'];

/** Nest does not start a module that uses a provider which it neither imports nor finds in a global module. */
it('makes only the configuration and the database global, so that every other module is imported where it is used', async () => {
  const server = await startTestServer();
  const modules = [...server.app.get(ModulesContainer).values()];
  await server.close();
  const names = modules.filter(({ isGlobal }) => isGlobal).map(({ metatype }) => metatype.name);
  expect(names.filter((name) => !LIBRARIES.includes(name)).sort()).toEqual([
    'ConfigModule',
    'DatabaseModule',
  ]);
});
