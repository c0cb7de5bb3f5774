import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps with each change of a task which endpoints confirmed decisions at that moment: the answers of these settle a
 * decision that became pending by the change, and no other's, whatever is switched before it is delivered
 * (docs/decisions/0043).
 */
export class NoteConfirmingEndpoints1809406000000 implements MigrationInterface {
  name = 'NoteConfirmingEndpoints1809406000000';

  async up(runner: QueryRunner): Promise<void> {
    // Null for the changes from before: the endpoint as it is then says whether it confirms.
    await runner.query('ALTER TABLE task_changes ADD COLUMN confirming bigint[]');
    await tell(runner, {
      declaration: `confirming bigint[] := ARRAY(SELECT id FROM endpoints WHERE confirms OR adapter IS NOT NULL);`,
      column: ', confirming',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await tell(runner, { declaration: '', column: '' });
    await runner.query('ALTER TABLE task_changes DROP COLUMN confirming');
  }
}

/** @param also what the trigger function notes beside the endpoints that there are: its declaration, and its column */
async function tell(
  runner: QueryRunner,
  also: { declaration: string; column: string },
): Promise<void> {
  const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
    { schema: string },
  ];
  await runner.query(`
    CREATE OR REPLACE FUNCTION tasks_tell() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = ${schema}, pg_temp AS $$
    DECLARE
      present bigint[] := (SELECT array_agg(id) FROM endpoints);
      ${also.declaration}
      long text[] := '{description,variables,outcomes,source_digest}';
    BEGIN
      IF present IS NULL THEN RETURN NULL; END IF;
      IF TG_OP = 'INSERT' THEN
        INSERT INTO task_changes (task_id, operation, task, endpoints${also.column})
        SELECT n.id, 'I', to_jsonb(n) - long, present${also.column} FROM added n;
      ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO task_changes (task_id, operation, task, before, endpoints${also.column})
        SELECT n.id, 'U', to_jsonb(n) - long, coalesce((
            SELECT jsonb_object_agg(e.key, CASE WHEN e.key = ANY (long) THEN 'null' ELSE e.value END)
            FROM jsonb_each(to_jsonb(o) - '{revision,modification_date,source_digest}'::text[]) e
            WHERE to_jsonb(n)->e.key IS DISTINCT FROM e.value), '{}'), present${also.column}
        FROM removed o JOIN added n ON n.id = o.id;
      ELSE
        INSERT INTO task_changes (task_id, operation, task, endpoints${also.column})
        SELECT o.id, 'D', to_jsonb(o) - long, present${also.column} FROM removed o;
      END IF;
      RETURN NULL;
    END $$`);
}
