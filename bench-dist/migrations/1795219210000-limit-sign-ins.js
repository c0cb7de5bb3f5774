/**
 * What throttling and locking count: failures of an account from unknown addresses (sign_ins), from
 * each address of an earlier success (known_addresses), and of each address (address_attempts).
 */
export class LimitSignIns1795219210000 {
    name = 'LimitSignIns1795219210000';
    async up(runner) {
        await runner.query(`
      ALTER TABLE known_addresses
        ADD failures integer NOT NULL DEFAULT 0,
        ADD locked_until timestamptz(3)`);
        await runner.query('ALTER TABLE known_addresses SET (fillfactor = 70)');
        await runner.query(`
      CREATE TABLE address_attempts (
        address text PRIMARY KEY,
        attempts integer NOT NULL,
        window_end timestamptz(3) NOT NULL
      ) WITH (fillfactor = 50)`);
        // The tokens that a key issued end with it.
        await runner.query('ALTER TABLE tokens ADD api_key_id bigint REFERENCES api_keys ON DELETE CASCADE');
        await runner.query('CREATE INDEX tokens_api_key_id_idx ON tokens (api_key_id) WHERE api_key_id IS NOT NULL');
        await runner.query('ALTER TABLE api_keys SET (fillfactor = 70)');
    }
    async down(runner) {
        await runner.query('ALTER TABLE api_keys RESET (fillfactor)');
        await runner.query('ALTER TABLE tokens DROP api_key_id');
        await runner.query('DROP TABLE address_attempts');
        await runner.query('ALTER TABLE known_addresses RESET (fillfactor)');
        await runner.query('ALTER TABLE known_addresses DROP failures, DROP locked_until');
    }
}
//# sourceMappingURL=1795219210000-limit-sign-ins.js.map