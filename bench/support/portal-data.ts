import type pg from 'pg';
import { withoutIndexes } from './without-indexes.js';

/** The size of the portal of the navigation benchmark. */
const CATEGORIES = 40;
const APPLICATIONS = 500;
const USERS = 10_000;
const GROUPS = 300;
const GROUPS_OF_A_USER = 5;
const TASKS = 1_000_000;
/** Number of organizations on each level of the tree. */
const LEVELS = [1, 5, 25, 125, 625, 1219];

/** An ordinary person, and one whom every audience includes. */
export const PERSON = 'bench.4711';
export const EVERYWHERE = 'bench.everywhere';

/** The views that tiles open, with typical filters; earlier ones are more frequent. */
const VIEWS = [
  { mode: 'and', filters: ['status:eq:open', 'assignee:eq:@me'] },
  { mode: 'and', filters: ['status:eq:open'] },
  { mode: 'and', filters: ['status:eq:open', 'group:eq:@mygroups'] },
  { mode: 'or', filters: ['group:eq:@mygroups', 'assignee:eq:@me'] },
  { mode: 'and', filters: ['status:eq:open', 'priority:gte:3'] },
  { mode: 'and', filters: ['status:neq:done', 'dueDate:isnotempty'] },
  { mode: 'and', filters: ['status:eq:open', 'title:contains:urgent'] },
];

/**
 * Fills an empty, migrated database, always the same: 2,000 organizations on 6 levels; 10,000 people, each in 5
 * of 300 groups; 500 applications, a tenth of them for everyone, the others for groups and organizations; a
 * million tasks for people and groups, a fifth of them open.
 */
export async function loadPortal(client: pg.Client): Promise<void> {
  await loadOrganizations(client);
  await client.query(
    `INSERT INTO groups (label, reference) SELECT 'Group ' || n, 'G-' || n FROM generate_series(1, $1::int) n`,
    [GROUPS],
  );
  await loadPeople(client);
  await loadTiles(client);
  await withoutIndexes(client, 'tasks', () => loadTasks(client));
  await client.query('VACUUM (ANALYZE)');
}

/** Loads each level below the previous one, evenly distributed. */
async function loadOrganizations(client: pg.Client): Promise<void> {
  for (const [level, count] of LEVELS.entries())
    await client.query(
      `WITH above AS (SELECT array_agg(id ORDER BY id) AS ids FROM organizations WHERE cardinality(path) = $1::int)
       INSERT INTO organizations (label, reference, parent_id, path)
       SELECT 'Organization ' || $1 || '.' || n, 'O-' || $1 || '-' || n, ids[1 + n % greatest(cardinality(ids), 1)], '{}'
       FROM above, generate_series(1, $2::int) n`,
      [level, count],
    );
}

/** Loads people; their groups are far apart and differ from person to person. */
async function loadPeople(client: pg.Client): Promise<void> {
  await client.query(
    `WITH o AS (SELECT array_agg(id ORDER BY id) AS ids FROM organizations)
     INSERT INTO users (login, first_name, last_name, title, organization_id, status)
     SELECT 'bench.' || name, 'Bench', name, 'Bench ' || name, ids[1 + (hashtext(name) & 2147483647) % cardinality(ids)], 1
     FROM o, (SELECT n::text AS name FROM generate_series(1, $1::int - 1) n UNION ALL SELECT 'everywhere') people`,
    [USERS],
  );
  await client.query(
    `INSERT INTO group_members (group_id, user_id)
     SELECT DISTINCT g.ids[1 + (hashint8(u.id * 100 + k) & 2147483647) % cardinality(g.ids)], u.id
     FROM users u, generate_series(1, $1::int) k, (SELECT array_agg(id ORDER BY id) AS ids FROM groups) g`,
    [GROUPS_OF_A_USER],
  );
}

/** Loads applications: a tenth is for everyone, the others for two groups or one organization of the upper half. */
async function loadTiles(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO categories (title, reference, position) SELECT 'Category ' || n, 'C-' || n, n FROM generate_series(1, $1::int) n`,
    [CATEGORIES],
  );
  await client.query(
    `INSERT INTO applications (title, reference, type, tile_color, icon, link, keywords, position)
     SELECT 'Application ' || n, 'A-' || n, CASE WHEN n % 5 = 4 THEN 'LINK' ELSE 'PROCESS' END, 'blue', 'inbox', '/workplace/applications/' || n, 'work process', n % 10
     FROM generate_series(1, $1::int) n`,
    [APPLICATIONS],
  );
  await client.query(
    `INSERT INTO application_categories (application_id, category_id)
     SELECT id, 1 + id % $1 FROM applications UNION SELECT id, 1 + (id / 2) % $1 FROM applications WHERE id % 4 = 0`,
    [CATEGORIES],
  );
  await client.query(
    `WITH g AS (SELECT array_agg(id ORDER BY id) AS ids FROM groups),
       o AS (SELECT array_agg(id ORDER BY id) AS ids FROM organizations WHERE cardinality(path) BETWEEN 2 AND 4)
     INSERT INTO application_audiences (application_id, group_id, organization_id)
     SELECT a.id, g.ids[1 + (a.id * 13 + k * 101) % cardinality(g.ids)], NULL FROM applications a, g, generate_series(0, 1) k WHERE a.id % 10 BETWEEN 1 AND 5
     UNION ALL
     SELECT a.id, NULL, o.ids[1 + a.id * 17 % cardinality(o.ids)] FROM applications a, o WHERE a.id % 10 > 5`,
  );
  await client.query(
    `INSERT INTO application_audiences (application_id, user_id)
     SELECT a.id, u.id FROM applications a, users u WHERE u.login = $1 AND a.id % 10 <> 0`,
    [EVERYWHERE],
  );
  for (const [n, { mode, filters }] of VIEWS.entries())
    await client.query(
      `INSERT INTO views (label, reference, application_id, filters, filter_mode, sorter)
       SELECT 'Open', 'V-' || id, id, $1, $2, 'dueDate' FROM applications WHERE type = 'PROCESS' AND id % 21 BETWEEN $3 AND $4`,
      [filters, mode, ...PLACES[n]!],
    );
  await client.query(
    `UPDATE applications a SET view_id = v.id FROM views v WHERE v.application_id = a.id`,
  );
}

/** The remainders of 21 that have each view. */
const PLACES = [
  [0, 6],
  [7, 11],
  [12, 14],
  [15, 16],
  [17, 18],
  [19, 19],
  [20, 20],
];

/** Loads tasks: half are assigned to a person, two fifths to a group, the rest to nobody yet. */
async function loadTasks(client: pg.Client): Promise<void> {
  await client.query(
    `WITH a AS (SELECT array_agg(id ORDER BY id) AS ids FROM applications WHERE type = 'PROCESS'),
       u AS (SELECT array_agg(id ORDER BY id) AS ids FROM users), g AS (SELECT array_agg(id ORDER BY id) AS ids FROM groups),
       t AS (SELECT n, (hashint8(n) & 2147483647)::bigint AS h, (hashint8(n * 31 + 7) & 2147483647)::bigint AS i, hashint8(n * 17 + 3) & 2147483647 AS j FROM generate_series(1, $1::bigint) n)
     INSERT INTO tasks (title, reference, application_id, assignee_id, group_id, status, priority, due_date, completion_date, creation_date)
     SELECT CASE WHEN h % 50 = 0 THEN 'Urgent: ' ELSE '' END || 'Please check case ' || n, 'T-' || n, a.ids[1 + h % cardinality(a.ids)],
       CASE WHEN i % 10 < 5 THEN u.ids[1 + i / 10 % cardinality(u.ids)] END,
       CASE WHEN i % 10 BETWEEN 5 AND 8 THEN g.ids[1 + i / 10 % cardinality(g.ids)] END,
       CASE WHEN j % 100 < 20 THEN 'open' WHEN j % 100 < 95 THEN 'done' ELSE 'cancelled' END, h % 6,
       CASE WHEN h % 8 <> 5 THEN timestamptz '2026-11-01 09:00Z' + (h % 60) * interval '1 day' END,
       CASE WHEN j % 100 BETWEEN 20 AND 94 THEN timestamptz '2026-10-01 09:00Z' END, timestamptz '2026-09-01 09:00Z' + (n % 60) * interval '1 day'
     FROM t, a, u, g`,
    [TASKS],
  );
}
