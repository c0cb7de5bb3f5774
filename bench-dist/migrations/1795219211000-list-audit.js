import { foldIndexes } from './table-parts.js';
const TEXTS = ['actor_uri', 'actor_login', 'object_uri', 'address', 'request_id', 'reason'];
/**
 * The audit trail as a list like any other, with the reason of refusals. Nobody changes it; lines
 * can be deleted only once they are older than the retention parameter, which the database itself
 * enforces against the application's own role (a superuser can always switch triggers off).
 */
export class ListAudit1795219211000 {
    name = 'ListAudit1795219211000';
    async up(runner) {
        await runner.query('ALTER TABLE audit ADD reason text');
        await runner.query('DROP INDEX audit_actor_uri_idx');
        await runner.query('DROP INDEX audit_object_uri_idx');
        await foldIndexes(runner, 'audit', TEXTS);
        await runner.query(`
      CREATE FUNCTION refuse_early_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        days integer := coalesce((SELECT value::integer FROM parameters WHERE key = 'audit.retention'), 365);
      BEGIN
        IF OLD.date > now() - make_interval(days => days) THEN
          RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'insufficient_privilege';
        END IF;
        RETURN OLD;
      END $$`);
        await runner.query(`
      CREATE TRIGGER audit_keep BEFORE DELETE ON audit
        FOR EACH ROW EXECUTE FUNCTION refuse_early_deletion()`);
    }
    async down(runner) {
        await runner.query('DROP TRIGGER audit_keep ON audit');
        await runner.query('DROP FUNCTION refuse_early_deletion()');
        for (const column of TEXTS)
            await runner.query(`DROP INDEX audit_${column}_fold_idx`);
        await runner.query('CREATE INDEX audit_object_uri_idx ON audit (object_uri, id)');
        await runner.query('CREATE INDEX audit_actor_uri_idx ON audit (actor_uri, id)');
        await runner.query('ALTER TABLE audit DROP reason');
    }
}
//# sourceMappingURL=1795219211000-list-audit.js.map