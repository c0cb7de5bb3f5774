import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest part of the journal that was there before the transaction began (docs/decisions/0032). */
const PART =
  'SELECT part FROM change_parts WHERE dropped_until IS NULL ORDER BY creation_date < now() DESC, part DESC LIMIT 1';

/** A further column of the journal, and its value. */
type Extra = { column: string; of: (application: string, isOpen: string) => string };

const APPLICATION: Extra = {
  column: ', application',
  of: (application, isOpen) => `, CASE WHEN ${isOpen} THEN ${application} ELSE 0 END`,
};
const NOTHING: Extra = { column: '', of: () => '' };

/**
 * Keeps in the journal of which application an open task was, so that the feed tells substitutes of no task that was never in
 * their sight (docs/decisions/0044). A closed task has 0, and rows from before have null.
 */
export class JournalApplicationsOfTasks1809300001000 implements MigrationInterface {
  name = 'JournalApplicationsOfTasks1809300001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE changes ADD application bigint');
    await runner.query(`
      COMMENT ON COLUMN changes.application IS
        'of a task that was open before or after; 0 for others; M has the former one, and who had the task in it'`);
    await record(runner, APPLICATION, 'OLD.assignee_id, OLD.group_id');
  }

  async down(runner: QueryRunner): Promise<void> {
    await record(runner, NOTHING, 'OLD.assignee_id, OLD.group_id, NEW.assignee_id, NEW.group_id');
    await runner.query('ALTER TABLE changes DROP application');
  }
}

async function record(runner: QueryRunner, extra: Extra, moved: string): Promise<void> {
  const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
    { schema: string },
  ];
  const settings = `RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp`;
  const into = `INSERT INTO changes (part, kind, object, revision, operation, principals${extra.column}) SELECT (${PART}), 'tasks'`;
  const ids = (columns: string) => `array_remove(ARRAY[${columns}], NULL)`;
  const single = (operation: string, table: string) => `${into},
          id, revision, '${operation}', ${ids('assignee_id, group_id')}${extra.of('application_id', "status = 'open'")} FROM ${table};`;
  const changed = (column: string) =>
    `CASE WHEN n.${column} IS DISTINCT FROM o.${column} THEN n.${column} END`;
  await runner.query(`
    CREATE OR REPLACE FUNCTION record_tasks() ${settings} AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${single('I', 'added')}
      ELSIF TG_OP = 'UPDATE' THEN ${into},
          coalesce(n.id, o.id), n.revision, 'U', ${ids(`o.assignee_id, ${changed('assignee_id')}, o.group_id, ${changed('group_id')}`)}${extra.of('coalesce(n.application_id, o.application_id)', "'open' IN (o.status, n.status)")}
          FROM removed o FULL JOIN added n ON n.id = o.id;
      ELSIF TG_OP = 'DELETE' THEN ${single('D', 'removed')}
      ELSE INSERT INTO changes (part, kind, operation, principals) SELECT (${PART}), 'tasks', 'T', '{}';
      END IF;
      RETURN NULL;
    END $$`);
  await runner.query(`
    CREATE OR REPLACE FUNCTION record_moved_tasks() ${settings} AS $$
    BEGIN
      ${into},
        NEW.id, NEW.revision, 'M', ${ids(moved)}${extra.of('OLD.application_id', "OLD.status = 'open'")};
      RETURN NULL;
    END $$`);
}
