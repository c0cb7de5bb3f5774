import { hash } from '@node-rs/argon2';
import type pg from 'pg';
import { CALLER_ADDRESSES } from '../../../src/security/parameters/parameter-definitions.js';
import { loadData } from '../../support/load-data.js';
import { ARGON2 } from '../writes.js';

/** The password of everybody who signs in with one. */
export const PASSWORD = 'Portal-Day-2026';

/** One of so many people has a password; the others come from the identity provider. */
export const WITH_PASSWORD = 5;

/** The loaded accounts that are active: others have left, or are invited. */
const ACTIVE = 0.94;

const TILES = 120;
const TASKS_OF_ONE = 10;

/** What the parameters of the server are set to. A token lasts for the day, because an hour of the day is five minutes. */
const PARAMETERS = {
  [CALLER_ADDRESSES]: '127.0.0.1, 10.0.0.0/8',
  'security.Token.lifetime': '43200',
};

/**
 * Loads a portal: organizations, groups, accounts and documents of `loadData`, ten tasks a person of which a quarter is open, and
 * 120 tiles in seven categories. Half of the tiles count tasks; everybody sees 30, and groups see some of the others.
 */
export async function loadPortal(client: pg.Client, people: number): Promise<void> {
  const users = Math.ceil(people / ACTIVE);
  const tasks = people * TASKS_OF_ONE;
  await loadData(client, { users, documents: people, tiles: TILES, tasks, assignees: users });
  await client.query(
    `INSERT INTO categories (title, reference) SELECT 'Category ' || n, 'DAY-' || n FROM generate_series(1, 7) n`,
  );
  await client.query(
    `UPDATE application_categories SET category_id = c.id FROM categories c WHERE c.reference = 'DAY-' || 1 + application_id % 7`,
  );
  await client.query(
    `WITH v AS (
       INSERT INTO views (label, application_id, filters)
       SELECT 'Open', id, CASE id % 3 WHEN 0 THEN '{status:eq:open}'::text[] WHEN 1 THEN '{status:eq:open,assignee:eq:@me}'
         ELSE '{status:eq:open,group:eq:@mygroups}' END
       FROM applications WHERE id % 2 = 0 RETURNING id, application_id)
     UPDATE applications a SET view_id = v.id FROM v WHERE v.application_id = a.id`,
  );
  await client.query(
    `INSERT INTO application_audiences (application_id, group_id)
     SELECT a.id, g.id FROM applications a JOIN groups g ON g.reference ~ '^BENCH-[0-9]' AND (g.id + a.id * 7) % 20 = 0 WHERE a.id % 4 > 0`,
  );
  await client.query(
    `INSERT INTO source_applications SELECT s.id, a.id FROM sources s, applications a`,
  );
  await client.query(
    `INSERT INTO passwords (user_id, hash) SELECT id, $1 FROM users WHERE status = 1 AND NOT sysadmin AND id % ${WITH_PASSWORD} = 0`,
    [await hash(PASSWORD, ARGON2)],
  );
  for (const parameter of Object.entries(PARAMETERS))
    await client.query(
      'INSERT INTO parameters (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      parameter,
    );
  await client.query('VACUUM (ANALYZE)');
}

/** A person of the portal, who calls from an address of their own. */
export interface Person {
  id: string;
  login: string;
  address: string;
  token?: string;
}

/** The people who sign in, in random order. */
export async function readPeople(client: pg.Client): Promise<Person[]> {
  const { rows } = await client.query<Pick<Person, 'id' | 'login'>>(
    'SELECT id, login FROM users WHERE status = 1 AND NOT sysadmin ORDER BY hashint8(id)',
  );
  return rows.map((person, at) => ({
    ...person,
    address: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
  }));
}
