import { LinksAttribute } from '../resources/attributes/links-attribute.js';
import { isNamed } from '../resources/names.js';
import { columnOf, sqlOf, targetsOf, transferred } from './fields.js';
import type { ImportableResource } from './importable-resources.js';
import type { StagedLine } from './parse-row.js';
import type { Reader, Row } from '../database/database.js';
import type { InvalidField } from '../base/errors/api-errors.js';
import { reasonIn } from '../base/errors/reason.js';
import type { ReasonCode } from '../base/errors/reasons.js';

type Values = Record<string, unknown>;

/** From this number of changed rows on, the statistics of a table are useless. */
const MANY = 1_000;

/** The rows that an import changed, or would change. */
export interface Counts {
  lines: number;
  created: number;
  updated: number;
  unchanged: number;
}

/**
 * Collects the lines of a file in temporary tables: a line may link to another row of the same file, and
 * nothing is written before every line is known to be valid. Each step is one statement for all lines.
 */
export class Staging {
  constructor(
    private readonly session: Reader,
    private readonly kind: ImportableResource,
  ) {}

  async create(): Promise<void> {
    await this.run(`
      DROP TABLE IF EXISTS pg_temp.import_given, pg_temp.import_given_links, pg_temp.import_ids, pg_temp.import_names,
        pg_temp.import_lines, pg_temp.import_links, pg_temp.import_faults, pg_temp.import_moves, pg_temp.import_before;
      CREATE TEMP TABLE import_given (line integer, name text, key text, value jsonb, lists text[]) ON COMMIT DROP;
      CREATE TEMP TABLE import_given_links (line integer, field text, attribute text, kind text, name text) ON COMMIT DROP;
      CREATE TEMP TABLE import_faults (place bigint GENERATED ALWAYS AS IDENTITY, line integer, name text, code text, parameters jsonb) ON COMMIT DROP`);
  }

  /** Finds the names that already have a row, one lookup each: a join would read all rows for every batch. */
  async existing(names: string[]): Promise<Set<string>> {
    const { resource } = this.kind;
    const { ref } = resource;
    const rows = await this.rows(
      `SELECT n.name FROM unnest($1::text[]) AS n(name)
        CROSS JOIN LATERAL (SELECT FROM ${ref.table} t WHERE ${isNamed(resource, 't', 'n.name')} LIMIT 1) found`,
      [names],
    );
    return new Set(rows.map(([name]) => String(name)));
  }

  async add(lines: StagedLine[]): Promise<void> {
    await this.run(
      `WITH batch AS MATERIALIZED (
         SELECT * FROM jsonb_to_recordset($1::jsonb)
           AS b(line integer, name text, value jsonb, lists jsonb, links jsonb, faults jsonb)),
       lines AS (
         INSERT INTO import_given (line, name, key, value, lists)
         SELECT line, name, ${this.kind.resource.ref.nameRule.key('name')}, value, ARRAY(SELECT jsonb_array_elements_text(lists)) FROM batch),
       links AS (
         INSERT INTO import_given_links (line, field, attribute, kind, name)
         SELECT b.line, l.field, l.attribute, l.kind, l.name
         FROM batch b, jsonb_to_recordset(b.links) AS l(field text, attribute text, kind text, name text))
       INSERT INTO import_faults (line, name, code, parameters)
       SELECT b.line, f.name, f.code, f.parameters
       FROM batch b, jsonb_to_recordset(b.faults) AS f(name text, code text, parameters jsonb)`,
      [JSON.stringify(lines.map(withCodes))],
    );
  }

  /** Resolves the rows of the lines and the objects they link to; records what is missing. */
  async resolve(): Promise<void> {
    const { kind } = this;
    await this.run('ANALYZE import_given (line, key); ANALYZE import_given_links (kind, name)');
    await this.findRows();
    await this.findLinked();
    await this.noteFaults();
    await this.run(
      `CREATE TEMP TABLE import_lines ON COMMIT DROP AS
       SELECT line, g.name, g.value || coalesce(l.columns, '{}') AS value, g.lists, i.id,
         coalesce(i.created, false) AS created, false AS changed
       FROM import_given g LEFT JOIN import_ids i USING (line) LEFT JOIN (
         SELECT line, jsonb_object_agg(field, id) AS columns FROM import_links
         WHERE field = ANY ('{${this.columns().join(', ')}}') AND id IS NOT NULL GROUP BY line) l USING (line)`,
    );
    await this.run('DROP TABLE import_given; ANALYZE import_lines (line, id, created, changed)');
    if (kind.faults !== undefined)
      await this.run(`INSERT INTO import_faults (line, name, code, parameters) ${kind.faults}`);
    if (kind.tree) await this.noteCycles(kind.tree);
  }

  /** Sets the id of each line: that of its row, else a new one, in the order of the lines. */
  private async findRows(): Promise<void> {
    const { resource, row } = this.kind;
    const { table } = resource.ref;
    const isRow = row === undefined ? isNamed(resource, 't', 'g.name') : `t.id = (${row})`;
    // Tables that share a sequence have no sequence of their own.
    await this.run(
      `CREATE TEMP TABLE import_ids ON COMMIT DROP AS
       SELECT line, key, id IS NULL AS created,
         coalesce(id, nextval(coalesce(pg_get_serial_sequence('${table}', 'id'), 'principal_ids')::regclass)) AS id
       FROM (SELECT g.line, g.key, t.id FROM import_given g LEFT JOIN ${table} t ON ${isRow}
         WHERE g.key IS NOT NULL ORDER BY g.line) found`,
    );
    await this.run('ANALYZE import_ids');
  }

  /** Looks up each linked name once, however many lines use it: among the rows, then in the file. */
  private async findLinked(): Promise<void> {
    const own = this.kind.resource.name;
    await this.run(
      'CREATE TEMP TABLE import_names (kind text, name text, id bigint) ON COMMIT DROP',
    );
    const kinds = await this.rows('SELECT DISTINCT kind FROM import_given_links');
    const targets = new Map(
      transferred(this.kind)
        .flatMap(targetsOf)
        .map((target) => [target.name, target]),
    );
    for (const kind of kinds.map(String)) {
      const target = targets.get(kind)!;
      await this.run(
        `INSERT INTO import_names (kind, name, id)
         SELECT '${kind}', n.name, coalesce(t.id, i.id)
         FROM (SELECT DISTINCT name FROM import_given_links WHERE kind = '${kind}') n
         LEFT JOIN ${target.ref.table} t ON ${isNamed(target, 't', 'n.name')}
         LEFT JOIN import_ids i ON i.created AND ${kind === own} AND i.key = ${target.ref.nameRule.key('n.name')}`,
      );
    }
    await this.run('ANALYZE import_names');
    await this.run(
      `CREATE TEMP TABLE import_links ON COMMIT DROP AS
       SELECT g.line, g.field, g.attribute, kind, name, n.id
       FROM import_given_links g JOIN import_names n USING (kind, name)`,
    );
    await this.run('DROP TABLE import_given_links; ANALYZE import_links (line, field, kind, id)');
  }

  private async noteFaults(): Promise<void> {
    await this.run(
      `INSERT INTO import_faults (line, name, code, parameters)
       SELECT line, attribute, 'unknown-name',
         jsonb_build_object('noun', regexp_replace(regexp_replace(kind, 'ies$', 'y'), 's$', ''), 'value', name)
       FROM import_links WHERE id IS NULL ORDER BY line, array_position($1::text[], attribute), name`,
      [transferred(this.kind).map(({ name }) => name)],
    );
    await this.run(
      `INSERT INTO import_faults (line, name, code, parameters)
       SELECT line, $1, 'same-row', jsonb_build_object('first', first) FROM (
         SELECT line, min(line) OVER (PARTITION BY key) AS first FROM import_ids) same
       WHERE line > first`,
      [this.kind.key],
    );
  }

  /** Follows the parents of each line, in the file first, then in the table. */
  private async noteCycles({
    column,
    attribute,
  }: {
    column: string;
    attribute: string;
  }): Promise<void> {
    const { table } = this.kind.resource.ref;
    await this.run(
      `WITH RECURSIVE parents AS MATERIALIZED (
         SELECT id, (value ->> '${column}')::bigint AS parent FROM import_lines WHERE value ? '${column}'
         UNION ALL
         SELECT t.id, t.${column} FROM ${table} t
         WHERE t.${column} IS NOT NULL AND NOT EXISTS (SELECT FROM import_lines s WHERE s.id = t.id AND s.value ? '${column}')),
       walk AS (
         SELECT id AS start, parent AS at FROM parents WHERE parent IS NOT NULL
         UNION SELECT w.start, p.parent FROM walk w JOIN parents p ON p.id = w.at
         WHERE w.at <> w.start AND p.parent IS NOT NULL)
       INSERT INTO import_faults (line, name, code, parameters)
       SELECT s.line, '${attribute}', 'below-itself', '{}'::jsonb FROM walk w JOIN import_lines s ON s.id = w.start
       WHERE w.at = w.start AND s.value ? '${column}'`,
    );
  }

  async countFaults(): Promise<number> {
    const [row] = await this.rows('SELECT count(DISTINCT line) FROM import_faults');
    return Number(row![0]);
  }

  /** Yields the bad lines in order, with all errors of each. */
  async *faults(): AsyncGenerator<{ line: number; fields: InvalidField[] }> {
    const rows = this.batches(
      `SELECT line, json_agg(json_build_object('name', name, 'code', code, 'parameters', parameters) ORDER BY place)
       FROM import_faults GROUP BY line ORDER BY line`,
    );
    for await (const [line, fields] of rows)
      yield { line: Number(line), fields: (fields as StoredFault[]).map(withReason) };
  }

  /** Leaves out the bad lines. */
  async leaveOut(): Promise<void> {
    await this.run(`
      DELETE FROM import_lines s USING import_faults f WHERE f.line = s.line;
      DELETE FROM import_links l USING import_faults f WHERE f.line = l.line`);
  }

  /** Copies the rows that the lines will change. */
  private async keepStates(): Promise<void> {
    await this.run(
      `CREATE TEMP TABLE import_before ON COMMIT DROP AS
       SELECT t.id, ${this.state()} AS state FROM import_lines s JOIN ${this.kind.resource.ref.table} t ON t.id = s.id
       WHERE s.changed`,
    );
  }

  /** Yields the written rows in the form and order of the file; `before` is null for a new row. */
  async *written(): AsyncGenerator<{ id: string; before: Values | null; after: Values }> {
    const rows = this.batches(
      `SELECT t.id, b.state, ${this.state()} FROM import_lines s JOIN ${this.kind.resource.ref.table} t ON t.id = s.id
       LEFT JOIN import_before b ON b.id = t.id WHERE s.created OR s.changed ORDER BY s.line`,
    );
    for await (const [id, before, after] of rows)
      yield { id: String(id), before: before as Values | null, after: after as Values };
  }

  /** The SQL of a row, with the alias `t`, in the form of a file. */
  private state(): string {
    const members = transferred(this.kind).map(
      (attribute) => `'${attribute.name}', ${sqlOf(attribute, 't')}`,
    );
    return `json_build_object(${members.join(', ')})`;
  }

  /** Yields the rows of a statement, few of which are in memory at once. */
  private async *batches(text: string): AsyncGenerator<Row> {
    await this.run(`DECLARE batches CURSOR FOR ${text}`);
    for (;;) {
      const rows = await this.rows('FETCH 500 FROM batches');
      yield* rows;
      if (rows.length > 0) continue;
      await this.run('CLOSE batches');
      return;
    }
  }

  /**
   * Writes all lines, but only their differences from the stored rows.
   * @param isAudited whether the caller reads `written` afterwards
   */
  async write(isAudited: boolean): Promise<Counts> {
    const { kind } = this;
    const { table } = kind.resource.ref;
    const columns = this.columns().filter((column) => column !== kind.tree?.column);
    const record = `jsonb_populate_record(NULL::${table}, s.value) r`;
    const changed = columns.map(
      (column) => `s.value ? '${column}' AND t.${column} IS DISTINCT FROM r.${column}`,
    );
    await this.run(
      `UPDATE import_lines u SET changed = true FROM import_lines s JOIN ${table} t ON t.id = s.id, ${record}
       WHERE u.line = s.line AND NOT s.created AND (${changed.join(' OR ')})`,
    );
    await this.noteMoves();
    for (const list of this.lists()) await this.noteChangedLinks(list);
    if (isAudited) await this.keepStates();
    await this.run(
      `INSERT INTO ${table} (id, ${columns.join(', ')})
       SELECT s.id, ${columns.map((column) => `r.${column}`).join(', ')}
       FROM import_lines s, ${record} WHERE s.created ORDER BY s.line`,
    );
    const set = columns.map(
      (column) =>
        `${column} = CASE WHEN s.value ? '${column}' THEN r.${column} ELSE t.${column} END`,
    );
    await this.run(
      `UPDATE ${table} t SET ${set.join(', ')}, revision = t.revision + 1, modification_date = now()
       FROM import_lines s, ${record} WHERE t.id = s.id AND s.changed`,
    );
    await this.move();
    for (const list of this.lists()) await this.writeLinks(list);
    const [row] = await this.rows(
      `SELECT count(*), count(*) FILTER (WHERE created), count(*) FILTER (WHERE changed) FROM import_lines`,
    );
    const [lines, created, updated] = row!.map(Number) as [number, number, number];
    if (created + updated >= MANY) await this.analyze();
    return { lines, created, updated, unchanged: lines - created - updated };
  }

  /**
   * Refreshes statistics after large changes: plans by the old ones would be slow, and autovacuum runs only once a
   * minute. A third of its sample suffices until then.
   */
  private async analyze(): Promise<void> {
    await this.run('SET LOCAL default_statistics_target = 33');
    const tables = [
      this.kind.resource.ref.table,
      ...this.lists().map(({ options }) => options.table),
    ];
    await this.run(`ANALYZE ${[...new Set(tables)].join(', ')}`);
  }

  private async noteMoves(): Promise<void> {
    const { tree, resource } = this.kind;
    if (!tree) return;
    await this.run(
      `UPDATE import_lines s SET changed = true FROM ${resource.ref.table} t WHERE t.id = s.id AND NOT s.created
         AND s.value ? '${tree.column}' AND t.${tree.column} IS DISTINCT FROM (s.value ->> '${tree.column}')::bigint`,
    );
  }

  /**
   * A trigger updates paths row by row. All rows that move become roots first, so that no order of moves
   * passes through a cycle.
   */
  private async move(): Promise<void> {
    const { tree, resource } = this.kind;
    if (!tree) return;
    const { table } = resource.ref;
    const { column } = tree;
    const moving = `SELECT s.id, (s.value ->> '${column}')::bigint AS parent FROM import_lines s JOIN ${table} t ON t.id = s.id
      WHERE s.value ? '${column}' AND t.${column} IS DISTINCT FROM (s.value ->> '${column}')::bigint ORDER BY s.line`;
    await this.run(`
      DO $$ DECLARE moved record;
      BEGIN
        CREATE TEMP TABLE import_moves ON COMMIT DROP AS ${moving};
        FOR moved IN SELECT m.id FROM import_moves m JOIN ${table} t ON t.id = m.id WHERE t.${column} IS NOT NULL LOOP
          UPDATE ${table} SET ${column} = NULL WHERE id = moved.id;
        END LOOP;
        FOR moved IN SELECT id, parent FROM import_moves WHERE parent IS NOT NULL LOOP
          UPDATE ${table} SET ${column} = moved.parent WHERE id = moved.id;
        END LOOP;
      END $$`);
  }

  /** Compares both sides as sets: line by line, a plan by old statistics took hours. */
  private async noteChangedLinks(list: LinksAttribute): Promise<void> {
    const { table, ownerColumn, idColumn } = list.options;
    const concerned = 'NOT s.created AND $1 = ANY (s.lists)';
    await this.run(
      `WITH given AS (
         SELECT s.id AS owner, l.id AS linked FROM import_lines s JOIN import_links l ON l.line = s.line
         WHERE ${concerned} AND l.field = $1),
       stored AS (
         SELECT s.id AS owner, j.${idColumn} AS linked FROM import_lines s JOIN ${table} j ON j.${ownerColumn} = s.id
         WHERE ${concerned}),
       differing AS ((TABLE given EXCEPT TABLE stored) UNION ALL (TABLE stored EXCEPT TABLE given))
       UPDATE import_lines SET changed = true WHERE id IN (SELECT owner FROM differing)`,
      [list.name],
    );
  }

  private async writeLinks(list: LinksAttribute): Promise<void> {
    const { table, ownerColumn, idColumn, targetColumns } = list.options;
    await this.run(
      `DELETE FROM ${table} j USING import_lines s WHERE s.changed AND $1 = ANY (s.lists) AND j.${ownerColumn} = s.id
         AND NOT EXISTS (SELECT FROM import_links l WHERE l.line = s.line AND l.field = $1 AND l.id = j.${idColumn})`,
      [list.name],
    );
    for (const { name } of list.targets)
      await this.run(
        `INSERT INTO ${table} (${ownerColumn}, ${targetColumns[name]})
         SELECT DISTINCT s.id, l.id FROM import_lines s JOIN import_links l ON l.line = s.line
         WHERE l.field = $1 AND l.kind = $2 AND (s.changed OR s.created)
           AND NOT EXISTS (SELECT FROM ${table} j WHERE j.${ownerColumn} = s.id AND j.${idColumn} = l.id)`,
        [list.name, name],
      );
  }

  /** The tables are temporary, so PostgreSQL keeps no plan. */
  private run(text: string, values: unknown[] = []): Promise<number> {
    return this.session.execute({ text, values, prepared: false });
  }

  private rows(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.session.rows({ text, values, prepared: false });
  }

  private lists(): LinksAttribute[] {
    return transferred(this.kind).filter((attribute) => attribute instanceof LinksAttribute);
  }

  private columns(): string[] {
    const { columns = [] } = this.kind;
    return [
      ...transferred(this.kind).flatMap((attribute) => columnOf(attribute) ?? []),
      ...columns,
    ];
  }
}

/** A fault as a row of `import_faults`. */
interface StoredFault {
  name: string;
  code: ReasonCode;
  parameters: Record<string, unknown>;
}

const withReason = ({ name, code, parameters }: StoredFault): InvalidField => ({
  name,
  reason: reasonIn(code, parameters),
});

const withCodes = ({ faults, ...line }: StagedLine) => ({
  ...line,
  faults: faults.map(({ name, reason: { code, parameters } }) => ({ name, code, parameters })),
});
