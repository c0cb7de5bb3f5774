import { Controller, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/base/config/config.js';
import { createApp } from '../../src/create-app.js';
import { link, text } from '../../src/resources/attributes/attributes.js';
import { resourceController } from '../../src/resources/http/resource.controller.js';
import { resource } from '../../src/resources/resource.js';
import { ResourcesModule } from '../../src/resources/resources.module.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const bridges = resource({
  name: 'bridges',
  uri: '/directory/bridges',
  labelColumn: 'label',
  attributes: { label: text(), river: link('rivers') },
});

@Controller('api/v2/directory/bridges')
class BridgesController extends resourceController(bridges) {}

@Module({ imports: [ResourcesModule], controllers: [BridgesController] })
class BridgesModule {}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a link to a resource that no controller serves', () => {
  it('keeps the server from starting, which names the link and the resource', async () => {
    const config = loadConfig({ LOG_LEVEL: 'silent' }).withDatabase(database.connection);
    const app = await createApp(config, [BridgesModule]);
    await expect(app.init()).rejects.toThrow(
      /^the link bridges\.river names the resource rivers, which is none of .*users/,
    );
    await app.close();
  });
});
