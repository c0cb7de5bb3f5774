import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a change of a row means for one kind of object. */
interface Journaled {
  kind: string;
  /** The column with the id of the object. */
  object: string;
  /** The columns with the ids of the users, groups and organizations whose own view of things the change affects. */
  principals: string[];
}

/** Tables whose rows are objects, with a revision. */
const OBJECTS: Record<string, string[]> = {
  users: ['id'],
  organizations: ['id'],
  groups: [],
  categories: [],
  applications: [],
  views: [],
  tasks: ['assignee_id', 'group_id'],
  documents: [],
  news: [],
  faqs: [],
  customers: [],
};

/** Tables whose rows belong to objects of other tables. Audiences do too: a trigger copies them to their owners. */
const PARTS_OF_OBJECTS: Record<string, Journaled[]> = {
  group_members: [
    { kind: 'users', object: 'user_id', principals: ['user_id'] },
    { kind: 'groups', object: 'group_id', principals: [] },
  ],
  photos: [{ kind: 'users', object: 'user_id', principals: [] }],
  application_categories: [{ kind: 'applications', object: 'application_id', principals: [] }],
  favourites: [{ kind: 'favourites', object: 'application_id', principals: ['user_id'] }],
};

/** Where the triggers see the rows as they were, and as they are. */
const EVENTS = {
  INSERT: 'REFERENCING NEW TABLE AS added',
  UPDATE: 'REFERENCING OLD TABLE AS removed NEW TABLE AS added',
  DELETE: 'REFERENCING OLD TABLE AS removed',
  TRUNCATE: '',
};
type Event = keyof typeof EVENTS;

/**
 * Creates the journal of changes (docs/decisions/0032): a row for each changed row, with the transaction that changed
 * it. Statement-level triggers append to it, so that plain SQL and imports are in it too.
 */
export class CreateChanges1796000000000 implements MigrationInterface {
  name = 'CreateChanges1796000000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.createParts(runner);
    for (const [table, principals] of Object.entries(OBJECTS))
      await recordObjects(runner, table, principals);
    for (const [table, all] of Object.entries(PARTS_OF_OBJECTS))
      await recordBy(runner, table, (event) =>
        all.map((journaled) => appendOwners(journaled, event)).join('\n'),
      );
  }

  /** Parts have numbers, not dates, so that a clock that is set back loses nothing. The newest takes the rows. */
  private async createParts(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE change_parts (
        part integer PRIMARY KEY,
        creation_date timestamptz(3) NOT NULL DEFAULT now(),
        dropped_until xid8
      )`);
    await runner.query(`
      COMMENT ON COLUMN change_parts.dropped_until IS
        'of the newest part that was dropped: its last transaction; null for a part that exists'`);
    await runner.query('INSERT INTO change_parts (part) VALUES (1)');
    await runner.query('CREATE SEQUENCE changes_id_seq AS bigint');
    await runner.query(`
      CREATE TABLE changes (
        part integer NOT NULL,
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        id bigint NOT NULL DEFAULT nextval('changes_id_seq'),
        kind text NOT NULL,
        object bigint,
        revision integer,
        operation "char" NOT NULL,
        principals bigint[] NOT NULL DEFAULT '{}',
        date timestamptz(3) NOT NULL DEFAULT now()
      ) PARTITION BY LIST (part)`);
    await runner.query(`
      COMMENT ON TABLE changes IS
        'operation: I inserted, U updated, D deleted, T the whole table emptied (object is null)'`);
    await runner.query('CREATE INDEX changes_xid_idx ON changes (xid, id)');
    await runner.query('CREATE TABLE changes_1 PARTITION OF changes FOR VALUES IN (1)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [...Object.keys(OBJECTS), ...Object.keys(PARTS_OF_OBJECTS)])
      await runner.query(`DROP FUNCTION record_${table}() CASCADE`);
    await runner.query('DROP TABLE changes');
    await runner.query('DROP SEQUENCE changes_id_seq');
    await runner.query('DROP TABLE change_parts');
  }
}

/**
 * Records the changes of a table whose rows are objects, with a revision.
 * @param principals the columns with the ids of those whose own view of things a change affects
 */
export function recordObjects(
  runner: QueryRunner,
  table: string,
  principals: string[],
): Promise<void> {
  const journaled = { kind: table, object: 'id', principals };
  return recordBy(runner, table, (event) => appendObjects(journaled, event));
}

/** @param append the statements that record an event of the table */
async function recordBy(
  runner: QueryRunner,
  table: string,
  append: (event: Event) => string,
): Promise<void> {
  // A role that writes needs no rights on the journal, and its search_path and temporary tables do not matter.
  const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
    { schema: string },
  ];
  await runner.query(`
    CREATE FUNCTION record_${table}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = ${schema}, pg_temp AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${append('INSERT')}
      ELSIF TG_OP = 'UPDATE' THEN ${append('UPDATE')}
      ELSIF TG_OP = 'DELETE' THEN ${append('DELETE')}
      ELSE ${append('TRUNCATE')}
      END IF;
      RETURN NULL;
    END $$`);
  for (const [event, transitions] of Object.entries(EVENTS))
    await runner.query(`
      CREATE TRIGGER ${table}_record_${event.toLowerCase()} AFTER ${event} ON ${table} ${transitions}
        FOR EACH STATEMENT EXECUTE FUNCTION record_${table}()`);
}

/**
 * The newest part that was there before the transaction began: a session may not know a newer one yet, and would refuse
 * the row.
 */
const PART =
  'SELECT part FROM change_parts WHERE dropped_until IS NULL ORDER BY creation_date < now() DESC, part DESC LIMIT 1';

/** @param rows a query of object, revision and principals */
const append = (kind: string, operation: string, rows: string): string => `
          INSERT INTO changes (part, kind, object, revision, operation, principals)
          SELECT (${PART}), '${kind}', r.object, r.revision, '${operation}', r.principals
          FROM (${rows}) AS r;`;

const NOTHING = `SELECT NULL::bigint AS object, NULL::integer AS revision, '{}'::bigint[] AS principals`;

function appendObjects({ kind, principals }: Journaled, event: Event): string {
  const rows = (table: string) =>
    `SELECT id AS object, revision, ${idsOf(principals, '')} AS principals FROM ${table}`;
  switch (event) {
    case 'INSERT':
      return append(kind, 'I', rows('added'));
    case 'UPDATE':
      return append(
        kind,
        'U',
        `SELECT coalesce(n.id, o.id) AS object, n.revision, ${idsOfBoth(principals, 'o.', 'n.')} AS principals
            FROM removed o FULL JOIN added n ON n.id = o.id`,
      );
    case 'DELETE':
      return append(kind, 'D', rows('removed'));
    case 'TRUNCATE':
      return append(kind, 'T', NOTHING);
  }
}

/** Each change of such a row is an update of the object that it belongs to. */
function appendOwners({ kind, object, principals }: Journaled, event: Event): string {
  const rows = (table: string) =>
    `SELECT ${object} AS object, NULL::integer AS revision, ${idsOf(principals, '')} AS principals FROM ${table}`;
  switch (event) {
    case 'INSERT':
      return append(kind, 'U', rows('added'));
    case 'UPDATE':
      return append(kind, 'U', `${rows('removed')} UNION ALL ${rows('added')}`);
    case 'DELETE':
      return append(kind, 'U', rows('removed'));
    case 'TRUNCATE':
      return append(kind, 'T', NOTHING);
  }
}

/** The ids of the principals of a row, without nulls. */
const idsOf = (columns: string[], row: string): string =>
  idArray(columns.map((column) => `${row}${column}`));

/** The ids before and after, each once. Without a subquery, which would double the time of the trigger. */
const idsOfBoth = (columns: string[], before: string, after: string): string =>
  idArray(
    columns.flatMap((column) => [
      `${before}${column}`,
      `CASE WHEN ${after}${column} IS DISTINCT FROM ${before}${column} THEN ${after}${column} END`,
    ]),
  );

const idArray = (ids: string[]): string =>
  ids.length === 0 ? `'{}'::bigint[]` : `array_remove(ARRAY[${ids.join(', ')}], NULL)`;
