import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The newest part of the journal that was there before the transaction began (docs/decisions/0032). */
const PART =
  'SELECT part FROM change_parts WHERE dropped_until IS NULL ORDER BY creation_date < now() DESC, part DESC LIMIT 1';

/** SQL of the journal's rows: those who may take each task, so that their own view of things follows. */
const appendCandidates = (rows: string): string => `
        INSERT INTO changes (part, kind, object, operation, principals)
        SELECT (${PART}), 'candidates', r.task_id, 'U', array_agg(r.principal_id) FROM (${rows}) AS r GROUP BY r.task_id;`;

/** The same, and the tasks themselves as changed. */
const appendBoth = (rows: string): string => `
        INSERT INTO changes (part, kind, object, operation)
        SELECT DISTINCT (${PART}), 'tasks', r.task_id, 'U'::"char" FROM (${rows}) AS r;
        ${appendCandidates(rows)}`;

const columnsOf = (table: string): string => `SELECT task_id, principal_id FROM ${table}`;

/** Rows that were there only before or only after; a change of `open` alone is that of its task. */
const DIFFERENCE = `(${columnsOf('removed')} EXCEPT ${columnsOf('added')})
          UNION ALL (${columnsOf('added')} EXCEPT ${columnsOf('removed')})`;

const TRANSITIONS = {
  INSERT: 'REFERENCING NEW TABLE AS added',
  UPDATE: 'REFERENCING OLD TABLE AS removed NEW TABLE AS added',
  DELETE: 'REFERENCING OLD TABLE AS removed',
  TRUNCATE: '',
};

/**
 * Creates the candidates of tasks: people and groups who may take them. Each row repeats whether the task is open, so
 * that what waits for a person is read from one index, however many tasks have been closed (docs/decisions/0041).
 */
export class CreateCandidates1801000000000 implements MigrationInterface {
  name = 'CreateCandidates1801000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE task_candidates (
        task_id bigint NOT NULL REFERENCES tasks ON DELETE CASCADE,
        user_id bigint REFERENCES users,
        group_id bigint REFERENCES groups,
        principal_id bigint NOT NULL GENERATED ALWAYS AS (coalesce(user_id, group_id)) STORED,
        open boolean NOT NULL DEFAULT true,
        CONSTRAINT task_candidates_one_check CHECK (num_nonnulls(user_id, group_id) = 1),
        PRIMARY KEY (task_id, principal_id)
      )`);
    await runner.query(
      'CREATE INDEX task_candidates_principal_id_idx ON task_candidates (principal_id, task_id) WHERE open',
    );
    for (const column of ['user_id', 'group_id'])
      await runner.query(
        `CREATE INDEX task_candidates_${column}_idx ON task_candidates (${column}) WHERE ${column} IS NOT NULL`,
      );
    const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    const settings = `LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp`;
    await this.keepOpen(runner, settings);
    await this.record(runner, settings);
  }

  /** The share lock makes the row wait for a change of its task that is under way. */
  private async keepOpen(runner: QueryRunner, settings: string): Promise<void> {
    await runner.query(`
      CREATE FUNCTION task_candidates_set_open() RETURNS trigger ${settings} AS $$
      BEGIN
        SELECT status = 'open' INTO NEW.open FROM tasks WHERE id = NEW.task_id FOR SHARE;
        NEW.open := coalesce(NEW.open, true);
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER task_candidates_set_open BEFORE INSERT ON task_candidates
        FOR EACH ROW EXECUTE FUNCTION task_candidates_set_open()`);
    await runner.query(`
      CREATE FUNCTION tasks_tell_candidates() RETURNS trigger ${settings} AS $$
      BEGIN
        UPDATE task_candidates c SET open = n.status = 'open'
        FROM added n JOIN removed o ON o.id = n.id
        WHERE c.task_id = n.id AND (n.status = 'open') <> (o.status = 'open');
        ${appendCandidates('SELECT c.task_id, c.principal_id FROM added n JOIN task_candidates c ON c.task_id = n.id')}
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER tasks_tell_candidates AFTER UPDATE ON tasks ${TRANSITIONS.UPDATE}
        FOR EACH STATEMENT EXECUTE FUNCTION tasks_tell_candidates()`);
  }

  /** The candidates of a task are part of it: the journal has the task, and those whom it concerns. */
  private async record(runner: QueryRunner, settings: string): Promise<void> {
    await runner.query(`
      CREATE FUNCTION record_task_candidates() RETURNS trigger ${settings} AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN ${appendBoth(columnsOf('added'))}
        ELSIF TG_OP = 'UPDATE' THEN ${appendBoth(DIFFERENCE)}
        ELSIF TG_OP = 'DELETE' THEN ${appendBoth(columnsOf('removed'))}
        ELSE
        INSERT INTO changes (part, kind, operation) SELECT (${PART}), 'tasks', 'T';
        END IF;
        RETURN NULL;
      END $$`);
    for (const [event, transitions] of Object.entries(TRANSITIONS))
      await runner.query(`
        CREATE TRIGGER task_candidates_record_${event.toLowerCase()} AFTER ${event} ON task_candidates ${transitions}
          FOR EACH STATEMENT EXECUTE FUNCTION record_task_candidates()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION tasks_tell_candidates() CASCADE');
    await runner.query('DROP TABLE task_candidates');
    await runner.query('DROP FUNCTION task_candidates_set_open()');
    await runner.query('DROP FUNCTION record_task_candidates()');
  }
}
