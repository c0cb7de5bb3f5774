import { join } from 'node:path';
import { userInfo } from 'node:os';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { loadConfig } from '../config/config.js';
import { Database } from '../database/database.js';
import { DATA_FOLDER, openEmbeddedServer } from '../database/embedded-server.js';
/**
 * Runs a command on the database of this environment, whether or not a server is running on it.
 * @throws Error when the database cannot be reached, or no server ever made its tables
 */
export async function withServer(work) {
    const environment = loadConfig();
    const embedded = environment.database
        ? undefined
        : await openEmbeddedServer(join(process.cwd(), DATA_FOLDER));
    const config = embedded ? environment.withDatabase(embedded.connection) : environment;
    let app;
    try {
        app = await NestFactory.createApplicationContext(AppModule.with(config), {
            logger: false,
            abortOnError: false,
        });
        await requireTables(app.get(Database));
        const origin = { actor: `command line (${userInfo().username})` };
        return await work({ config, get: app.get.bind(app), origin });
    }
    finally {
        await app?.close();
        await embedded?.stop();
    }
}
async function requireTables(database) {
    const [row] = await database.rows({ text: `SELECT to_regclass('parameters')`, values: [] });
    if (row?.[0] === null)
        throw new Error('the database has no tables yet: start the server once, which makes them');
}
//# sourceMappingURL=with-server.js.map