import type pg from 'pg';
import { progress } from '../../src/command-line/progress.js';
import { withoutIndexes } from './without-indexes.js';
import {
  CITIES,
  DOCUMENT_KINDS,
  FIRST_NAMES,
  FUNCTIONS,
  LAST_NAMES,
  PROSE,
  SUBJECTS,
} from './words.js';

/** The numbers of rows to load. */
export interface Sizes {
  users: number;
  documents: number;
  tiles?: number;
  tasks?: number;
  /** The tasks are for the first so many users. */
  assignees?: number;
  audit?: number;
}

/** Documents beside the users: enough for the lists that are part of a mix of reads. */
export const DOCUMENTS = 10_000;

/** Rows of one INSERT. */
const BATCH = 10_000;

/** Different paragraphs of the descriptions of tasks: drawing the words of each takes longer than the rest of the row. */
const PARAGRAPHS = 20_000;

/** Words that the benchmarks search for, with a fixed frequency. */
export const MARKS = {
  /** In one of 20,000 rows. */
  rare: 'Quillfeather',
  /** In about a tenth of the rows, all of them in the last fifth of the title order. */
  late: 'vademecum',
  /** In a fifth of the documents, nearly all of them for one group only. */
  restricted: 'Vertraulich',
};

/** The group, one of 500, that sees `restricted` documents; it has no members. */
export const RESTRICTED_GROUP = 'BENCH-CLOSED';
/** The group that sees one of 10,000 `restricted` documents. */
export const NARROW_GROUP = 'BENCH-NARROW';

/**
 * Fills an empty, migrated database with organizations, groups, users and documents, always the same. It drops
 * indexes first, recreates them at the end, and vacuums the tables.
 */
export async function loadData(client: pg.Client, sizes: Sizes): Promise<void> {
  await createChance(client);
  await loadPrincipals(client);
  await withoutIndexes(client, 'users', () => loadUsers(client, sizes.users));
  await withoutIndexes(client, 'documents', () => loadDocuments(client, sizes.documents));
  await withoutIndexes(client, 'applications', () => loadTiles(client, sizes.tiles ?? 0));
  await withoutIndexes(client, 'tasks', () => loadTasks(client, sizes));
  if (sizes.audit) await withoutIndexes(client, 'audit', () => loadAudit(client, sizes.audit!));
  const vacuum = progress('vacuum', 1);
  await client.query('VACUUM (ANALYZE)');
  vacuum.end();
}

/** Creates a repeatable random function: a row always draws the same word, earlier words more often. */
async function createChance(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE FUNCTION pg_temp.chance(i bigint, salt integer) RETURNS float8 LANGUAGE sql IMMUTABLE AS
      'SELECT (hashint8extended(i, salt) & 2147483647) / 2147483648.0::float8'`);
  await client.query(`
    CREATE FUNCTION pg_temp.pick(words text[], i bigint, salt integer) RETURNS text LANGUAGE sql IMMUTABLE AS
      'SELECT words[1 + floor(cardinality(words) * power(pg_temp.chance(i, salt), 1.7))::integer]'`);
}

/** Loads 2,000 organizations in a tree of four levels, and 502 groups. */
async function loadPrincipals(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO organizations (label, reference, path) VALUES ('Benchmark', 'BENCH', '{}')`,
  );
  for (const [level, count] of [10, 190, 1800].entries())
    await client.query(
      `WITH parents AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n, count(*) OVER () AS all_of_them
         FROM organizations WHERE cardinality(path) = $2)
       INSERT INTO organizations (label, reference, parent_id, path)
       SELECT pg_temp.pick($3, i, 1) || ' ' || pg_temp.pick($4, i, 2) || ' ' || i, 'BENCH-' || $2 || '-' || i, p.id, '{}'
       FROM generate_series(1, $1::bigint) AS i JOIN parents p ON p.n = i % p.all_of_them`,
      [count, level + 1, SUBJECTS, CITIES],
    );
  await client.query(
    `INSERT INTO groups (label, reference) SELECT 'Group ' || i, 'BENCH-' || i FROM generate_series(1, 500) AS i`,
  );
  await client.query(
    `INSERT INTO groups (label, reference) VALUES ('Closed', $1), ('Narrow', $2)`,
    [RESTRICTED_GROUP, NARROW_GROUP],
  );
}

async function loadUsers(client: pg.Client, count: number): Promise<void> {
  await inBatches('users', count, (first, last) =>
    client.query(
      `WITH orgs AS MATERIALIZED (SELECT array_agg(id ORDER BY id) AS ids FROM organizations WHERE reference LIKE 'BENCH%'),
       people AS MATERIALIZED (
         SELECT i, pg_temp.pick($3, i, 1) AS first_name,
           CASE WHEN i % 20000 = 7 THEN $6
             WHEN pg_temp.chance(i, 3) < 0.1 THEN pg_temp.pick($4, i, 2) || '-' || pg_temp.pick($4, i, 4)
             ELSE pg_temp.pick($4, i, 2) END AS last_name,
           pg_temp.pick($5, i, 5) AS function
         FROM generate_series($1::bigint, $2::bigint) AS i),
       logins AS MATERIALIZED (
         SELECT *, regexp_replace(fold(first_name || '.' || last_name), '[^a-z.-]', '', 'g') || i AS login FROM people)
       INSERT INTO users (login, first_name, last_name, title, email, phone_number, mobile_phone_number,
         user_function, description, locale, organization_id, status, creation_date)
       SELECT login, first_name, last_name, first_name || ' ' || last_name, login || '@company.example',
         CASE WHEN i % 3 = 0 THEN '+49 30 ' || (1000000 + i) END,
         CASE WHEN i % 4 = 0 THEN '+33 6 ' || (20000000 + i) END,
         CASE WHEN first_name ~ '^[T-Z]' AND i % 2 = 0 THEN $7 || ' ' ELSE '' END || function,
         CASE WHEN i % 10 = 0 THEN 'Speaks ' || pg_temp.pick('{English,French,German,Danish,Polish}', i, 6) END,
         CASE WHEN i % 3 = 0 THEN 'fr' ELSE 'en' END,
         ids[1 + floor(cardinality(ids) * pg_temp.chance(i, 7))::integer],
         CASE WHEN i % 25 = 0 THEN 3 WHEN i % 50 = 1 THEN 2 ELSE 1 END,
         timestamptz '2020-01-01Z' + i * interval '3 minutes'
       FROM logins, orgs`,
      [first, last, FIRST_NAMES, LAST_NAMES, FUNCTIONS, MARKS.rare, MARKS.late],
    ),
  );
  await client.query(`
    INSERT INTO group_members (group_id, user_id)
    SELECT g.id, m.id FROM groups g JOIN (
      SELECT id, 'BENCH-' || (1 + id % 500) AS reference FROM users WHERE NOT sysadmin
      UNION SELECT id, 'BENCH-' || (1 + id * 7 % 500) FROM users WHERE NOT sysadmin AND id % 3 = 0) m USING (reference)`);
}

async function loadDocuments(client: pg.Client, count: number): Promise<void> {
  await inBatches('documents', count, (first, last) =>
    client.query(
      `WITH closed AS MATERIALIZED (SELECT id FROM groups WHERE reference = '${RESTRICTED_GROUP}'),
       narrow AS MATERIALIZED (SELECT id FROM groups WHERE reference = '${NARROW_GROUP}'),
       orgs AS MATERIALIZED (SELECT array_agg(id ORDER BY id) AS ids FROM organizations WHERE reference LIKE 'BENCH%'),
       some_groups AS MATERIALIZED (SELECT array_agg(id ORDER BY id) AS ids FROM groups),
       authors AS MATERIALIZED (SELECT array_agg(id) AS ids FROM (SELECT id FROM users ORDER BY id LIMIT 1000) AS first_users),
       texts AS MATERIALIZED (
         SELECT i, pg_temp.pick($3, i, 1) AS kind, pg_temp.pick($4, i, 2) AS subject, pg_temp.pick($5, i, 3) AS city,
           (SELECT string_agg(pg_temp.pick($6, i, 100 + n), ' ') FROM generate_series(1, 8 + (i % 25)::integer) AS n) AS prose
         FROM generate_series($1::bigint, $2::bigint) AS i)
       INSERT INTO documents (title, description, file_name, mime_type, size, version, category, keywords, download_url,
         author_id, status, audience, creation_date)
       SELECT kind || ' ' || subject || ' ' || city || ' ' || (2000 + i % 27),
         CASE WHEN i % 5 = 0 THEN $9 || ' ' ELSE '' END ||
         CASE WHEN kind ~ '^[V-Z]' AND i % 5 < 4 THEN $8 || ' ' ELSE '' END ||
         CASE WHEN i % 20000 = 7 THEN $7 || ' ' ELSE '' END || prose,
         lower(kind) || '-' || i || '.pdf', CASE WHEN i % 3 = 0 THEN 'text/plain' ELSE 'application/pdf' END, i * 37 % 5000000,
         (1 + i % 9) || '.0', subject, kind || ' ' || city, '/files/' || i,
         authors.ids[1 + i % cardinality(authors.ids)],
         CASE WHEN i % 20 = 3 THEN 0 ELSE 1 END,
         CASE WHEN i % 10000 = 5 THEN ARRAY[narrow.id]
           WHEN i % 5 = 0 THEN ARRAY[closed.id]
           WHEN pg_temp.chance(i, 4) < 0.6 THEN '{0}'
           WHEN pg_temp.chance(i, 4) < 0.9 THEN ARRAY[orgs.ids[1 + floor(cardinality(orgs.ids) * power(pg_temp.chance(i, 5), 3))::integer]]
           ELSE ARRAY[some_groups.ids[1 + i % 500], some_groups.ids[1 + i * 7 % 500]] END,
         timestamptz '2020-01-01Z' + i * interval '3 minutes'
       FROM texts, orgs, some_groups, authors, closed, narrow`,
      [
        first,
        last,
        DOCUMENT_KINDS,
        SUBJECTS,
        CITIES,
        PROSE,
        MARKS.rare,
        MARKS.late,
        MARKS.restricted,
      ],
    ),
  );
  // The array exists already, so the trigger that derives it from the audience table need not run.
  await client.query('ALTER TABLE document_audiences DISABLE TRIGGER USER');
  await client.query(`
    INSERT INTO document_audiences (document_id, group_id, organization_id)
    SELECT DISTINCT d.id, g.id, o.id FROM documents d, unnest(d.audience) AS principal
      LEFT JOIN groups g ON g.id = principal LEFT JOIN organizations o ON o.id = principal
    WHERE principal <> 0`);
  await client.query('ALTER TABLE document_audiences ENABLE TRIGGER USER');
}

/** Loads tiles that everybody sees; half of them have German translations. */
async function loadTiles(client: pg.Client, count: number): Promise<void> {
  await client.query(`INSERT INTO categories (title, reference) VALUES ('Benchmark', 'BENCH')`);
  await inBatches('tiles', count, (first, last) =>
    client.query(
      `WITH tiles AS (
         INSERT INTO applications (title, type, keywords, translations)
         SELECT pg_temp.pick($3, i, 1) || ' ' || pg_temp.pick($4, i, 2) || ' ' || i, 'PROCESS',
           pg_temp.pick($5, i, 3) || CASE WHEN i % 20000 = 7 THEN ' ' || $6 ELSE '' END,
           CASE WHEN i % 2 = 0 THEN jsonb_build_object('de', jsonb_build_object(
             'title', pg_temp.pick($4, i, 4) || ' ' || i, 'keywords', pg_temp.pick($5, i, 5))) END
         FROM generate_series($1::bigint, $2::bigint) AS i RETURNING id)
       INSERT INTO application_categories (application_id, category_id) SELECT tiles.id, c.id FROM tiles, categories c WHERE c.reference = 'BENCH'`,
      [first, last, DOCUMENT_KINDS, SUBJECTS, CITIES, MARKS.rare],
    ),
  );
}

/**
 * Loads tasks: nine of ten for a user, the others for one of the groups `BENCH-1` to `BENCH-500`. A source has pushed four
 * of five; three of four are done, with an outcome; half of the descriptions are a city, the others one of some paragraphs.
 */
async function loadTasks(
  client: pg.Client,
  { tasks = 0, assignees = 10_000 }: Sizes,
): Promise<void> {
  await client.query(`INSERT INTO sources (label, reference) VALUES ('Benchmark', 'BENCH')`);
  await client.query(
    `CREATE TEMPORARY TABLE prose AS
     SELECT i % ${PARAGRAPHS} AS n, (SELECT string_agg(pg_temp.pick($1, i, 100 + n), ' ') FROM generate_series(1, 8 + (i % 25)::integer) AS n) AS prose
     FROM generate_series(1, ${PARAGRAPHS}::bigint) AS i`,
    [PROSE],
  );
  await client.query('CREATE UNIQUE INDEX ON pg_temp.prose (n)');
  await client.query('ANALYZE pg_temp.prose');
  await inBatches('tasks', tasks, (first, last) =>
    client.query(
      `WITH people AS MATERIALIZED (SELECT array_agg(id ORDER BY id) AS ids FROM (SELECT id FROM users ORDER BY id LIMIT $6) AS first_users),
       some_groups AS MATERIALIZED (SELECT array_agg(id ORDER BY id) AS ids FROM groups WHERE reference ~ '^BENCH-[0-9]'),
       apps AS MATERIALIZED (SELECT array_agg(id ORDER BY id) AS ids FROM applications),
       source AS MATERIALIZED (SELECT id FROM sources WHERE reference = 'BENCH'),
       texts AS MATERIALIZED (
         SELECT i, i % 4 > 0 AS done,
           (SELECT p.prose FROM pg_temp.prose p WHERE p.n = i % ${PARAGRAPHS}) AS prose
         FROM generate_series($1::bigint, $2::bigint) AS i)
       INSERT INTO tasks (title, description, application_id, assignee_id, group_id, status, priority, due_date, follow_up_date,
         link, source_id, external_id, source_version, correlation_id, outcome, closed_by_id, closed_date)
       SELECT pg_temp.pick($3, i, 1) || ' ' || pg_temp.pick($4, i, 2) || ' ' || i,
         CASE WHEN i % 2 = 0 THEN prose ELSE pg_temp.pick($5, i, 3) END,
         apps.ids[1 + i % cardinality(apps.ids)],
         CASE WHEN i % 10 > 0 THEN people.ids[1 + i * 7 % cardinality(people.ids)] END,
         CASE WHEN i % 10 = 0 THEN some_groups.ids[1 + i / 10 % cardinality(some_groups.ids)] END,
         CASE WHEN done THEN 'done' ELSE 'open' END, i % 6, timestamptz '2026-01-01Z' + i * interval '1 minute',
         CASE WHEN i % 7 = 0 THEN timestamptz '2026-02-01Z' + i * interval '1 minute' END,
         CASE WHEN i % 3 = 0 THEN 'https://engine.example/cases/' || i END,
         CASE WHEN i % 5 > 0 THEN source.id END, CASE WHEN i % 5 > 0 THEN md5(i::text)::uuid::text END,
         CASE WHEN i % 5 > 0 THEN 1 END, CASE WHEN i % 5 > 0 THEN 'order-' || i / 3 END,
         CASE WHEN done THEN pg_temp.pick('{approve,reject,return,escalate}', i, 4) END,
         CASE WHEN done THEN people.ids[1 + i * 7 % cardinality(people.ids)] END,
         CASE WHEN done THEN timestamptz '2026-01-02Z' + i * interval '1 minute' END
       FROM texts, people, some_groups, apps, source`,
      [first, last, DOCUMENT_KINDS, SUBJECTS, CITIES, assignees],
    ),
  );
}

/** Loads entries of the audit trail of eleven months: changes of users by a thousand people, and a few refused calls. */
async function loadAudit(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `INSERT INTO audit (date, action) SELECT generate_series(timestamptz '2026-01-01Z', '2026-11-01Z', '1 month'), 'sign-in'`,
  );
  await client.query('SELECT add_audit_parts()');
  await inBatches('audit', count, (first, last) =>
    client.query(
      `WITH people AS MATERIALIZED (
         SELECT array_agg(id ORDER BY id) AS ids, array_agg(login ORDER BY id) AS logins FROM (SELECT id, login FROM users ORDER BY id LIMIT 1000) AS first_users)
       INSERT INTO audit (date, action, reason, actor_uri, actor_login, object_uri, address, request_id, count, after)
       SELECT timestamptz '2026-01-01Z' + i * interval '330 days' / $3, pg_temp.pick('{update,sign-in,create,delete,export}', i, 1),
         CASE WHEN i % 50 = 0 THEN 'bad credentials: password' END,
         '/directory/users/' || ids[1 + i % cardinality(ids)], logins[1 + i % cardinality(ids)], '/directory/users/' || i,
         '10.' || i % 4 || '.' || i % 250 || '.' || i % 99, md5(i::text), 1 + i % 3, jsonb_build_object('lastName', 'Name ' || i)
       FROM generate_series($1::bigint, $2::bigint) AS i, people`,
      [first, last, count],
    ),
  );
}

async function inBatches(
  step: string,
  count: number,
  insert: (first: number, last: number) => Promise<unknown>,
): Promise<void> {
  const bar = progress(step, count);
  for (let done = 0; done < count; done += BATCH) {
    bar.update(done);
    await insert(done + 1, Math.min(done + BATCH, count));
  }
  bar.end();
}
