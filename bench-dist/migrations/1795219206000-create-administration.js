/** Server parameters and the audit trail. */
export class CreateAdministration1795219206000 {
    name = 'CreateAdministration1795219206000';
    async up(runner) {
        // Keys are kept without "com.<vendor>.": the vendor segment is a matter of the environment.
        await runner.query(`
      CREATE TABLE parameters (
        key text PRIMARY KEY,
        value text NOT NULL,
        modification_date timestamptz(3) NOT NULL DEFAULT now()
      )`);
        await runner.query(`
      CREATE FUNCTION announce_parameters() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('parameters', '');
        RETURN NULL;
      END $$`);
        await runner.query(`
      CREATE TRIGGER parameters_announce AFTER INSERT OR UPDATE OR DELETE ON parameters
        FOR EACH STATEMENT EXECUTE FUNCTION announce_parameters()`);
        // The actor and the object are kept as text: the trail outlives what it speaks of.
        await runner.query(`
      CREATE TABLE audit (
        id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        date timestamptz(3) NOT NULL DEFAULT now(),
        action text NOT NULL,
        actor_uri text,
        actor_login text,
        object_uri text,
        address text,
        request_id text,
        count integer NOT NULL DEFAULT 1,
        before jsonb,
        after jsonb
      )`);
        await runner.query('CREATE INDEX audit_date_idx ON audit (date, id)');
        await runner.query('CREATE INDEX audit_action_idx ON audit (action, id)');
        await runner.query('CREATE INDEX audit_actor_uri_idx ON audit (actor_uri, id)');
        await runner.query('CREATE INDEX audit_object_uri_idx ON audit (object_uri, id)');
        await runner.query(`
      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
      END $$`);
        await runner.query(`
      CREATE TRIGGER audit_append_only BEFORE UPDATE OR TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    }
    async down(runner) {
        await runner.query('DROP TABLE audit');
        await runner.query('DROP FUNCTION refuse_change()');
        await runner.query('DROP TABLE parameters');
        await runner.query('DROP FUNCTION announce_parameters()');
    }
}
//# sourceMappingURL=1795219206000-create-administration.js.map