import pg from 'pg';
import { DataSource } from 'typeorm';
import { clientOptions } from './connection-options.js';
/** The key of the advisory lock under which one instance at a time migrates. */
const MIGRATION_LOCK = 2_026_112_100;
/** PostgreSQL 15, as the server reports it. */
const OLDEST_SERVER = 150_000;
/** The schema is newer than this server, or the database cannot be used; `message` says what to do. */
export class MigrationError extends Error {
}
/**
 * Brings the schema up to date. Instances that start together take turns: TypeORM itself has no
 * lock. Each migration is a transaction, so that a killed one leaves nothing half done.
 * @param whileLocked what else only one instance may do at a time, after the migrations
 * @throws MigrationError when the database is too old, not in UTF-8, or newer than this server
 */
export async function migrate(config, { migrations, demonstration }, whileLocked = () => Promise.resolve()) {
    const lock = new pg.Client(clientOptions(config));
    await lock.connect();
    try {
        await checkServer(lock);
        await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
        await run(config, migrations, 'migrations');
        if (config.env.DEMO_DATA)
            await run(config, demonstration, 'demo_migrations');
        await whileLocked();
    }
    finally {
        await lock.end();
    }
}
async function checkServer(client) {
    const { rows } = await client.query(`SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding`);
    const { version, encoding } = rows[0];
    if (Number(version) < OLDEST_SERVER)
        throw new MigrationError('PostgreSQL 15 or newer is needed');
    if (encoding !== 'UTF8')
        throw new MigrationError(`the database must be in UTF8, it is in ${encoding}`);
}
async function run(config, classes, table) {
    const { connectionString, user, ...options } = clientOptions(config);
    const dataSource = new DataSource({
        type: 'postgres',
        ...(connectionString === undefined
            ? { host: options.host, username: user, database: options.database }
            : { url: connectionString }),
        migrations: classes,
        migrationsTableName: table,
        extra: {
            ...options,
            max: 1,
            options: `${options.options} ${firstValues(config)}`,
        },
    });
    await dataSource.initialize();
    try {
        await refuseNewerSchema(dataSource, classes, table);
        await dataSource.runMigrations({ transaction: 'each' });
    }
    finally {
        await dataSource.destroy();
    }
}
/** Settings that the seeds read: the first values of the address rules. */
function firstValues({ env }) {
    const quoted = (value) => value.replace(/[\s,;]+/g, ',');
    return (`-c platform.allowed_addresses=${quoted(env.ALLOWED_ADDRESSES ?? '')} ` +
        `-c platform.sysadmin_allowed_addresses=${quoted(env.SYSADMIN_ALLOWED_ADDRESSES ?? '')}`);
}
async function refuseNewerSchema(dataSource, classes, table) {
    const [{ exists } = { exists: false }] = await dataSource.query('SELECT to_regclass($1) IS NOT NULL AS exists', [table]);
    if (!exists)
        return;
    const known = new Set(classes.map((migration) => migration.name));
    const applied = await dataSource.query(`SELECT name FROM ${table}`);
    const unknown = applied.filter(({ name }) => !known.has(name));
    if (unknown.length > 0)
        throw new MigrationError(`the database was migrated by a newer version of this server (${unknown.map(({ name }) => name).join(', ')}); start that version, or restore a backup`);
}
//# sourceMappingURL=migrate.js.map