import pg from 'pg';
import { clientOptions } from '../database/connection-options.js';
import { generatePassword } from './generate-password.js';
import { hashPassword } from './password-hash.js';
/**
 * Gives sysadmin its first password: the configured one, else a generated one. Runs under the lock
 * of the migrations, so that of several instances one does it.
 * @returns the generated password, to be printed once; undefined when there is nothing to print
 */
export async function setFirstSysadminPassword(config) {
    const client = new pg.Client(clientOptions(config));
    await client.connect();
    try {
        const { rows } = await client.query('SELECT id FROM users WHERE sysadmin AND NOT EXISTS (SELECT 1 FROM passwords p WHERE p.user_id = users.id)');
        if (!rows[0])
            return undefined;
        const configured = config.env.SYSADMIN_PASSWORD;
        const password = configured ?? generatePassword();
        await client.query('INSERT INTO passwords (user_id, hash) VALUES ($1, $2)', [
            rows[0].id,
            await hashPassword(password),
        ]);
        return configured === undefined ? password : undefined;
    }
    finally {
        await client.end();
    }
}
//# sourceMappingURL=sysadmin-password.js.map