import type { Reader } from '../database/database.js';
import { namedSchema } from '../resources/openapi/component.js';
import { atLeast, count } from '../resources/openapi/schemas.js';
import { USER_STATUS } from '../security/user-status.js';
import { userUri } from '../security/user-uri.js';

/** What depends on a user: SQL of each number; `$1` is the id of the user. Indexes answer all of them. */
const COUNTED = {
  /** Open tasks that are assigned to the user. */
  openTasks: `FROM tasks WHERE assignee_id = $1 AND status = 'open'`,
  /** Open tasks that the user may claim as a candidate. */
  candidatures: 'FROM task_candidates WHERE user_id = $1 AND open',
  /** Running and coming absences of others for whom the user stands in. */
  substitutions: 'FROM absences WHERE substitute_id = $1 AND end_date > now()',
  /** Groups without another active member. */
  groups: `FROM group_members m WHERE m.user_id = $1 AND NOT EXISTS (
    SELECT 1 FROM group_members o JOIN users u ON u.id = o.user_id
    WHERE o.group_id = m.group_id AND o.user_id <> $1 AND u.status = ${USER_STATUS.active})`,
  /** Users whose manager the user is. */
  people: 'FROM users WHERE manager_id = $1',
  /** Organizations whose manager the user is. */
  organizations: 'FROM organizations WHERE manager_id = $1',
  /** Sources whose service account the user is. */
  sources: 'FROM sources WHERE service_account_id = $1',
  /** Providers whose service account the user is. */
  providers: 'FROM providers WHERE service_account_id = $1',
  /** Endpoints whose queue the user empties. */
  endpoints: 'FROM endpoints WHERE account_id = $1',
} as const;

/** What waits for a user or is in the name of the user, as numbers (docs/api-contract.md#people-who-leave). */
export type Responsibilities = Record<keyof typeof COUNTED, number>;

const NAMES = Object.keys(COUNTED) as (keyof Responsibilities)[];

export const RESPONSIBILITIES = namedSchema(
  'Responsibilities',
  atLeast(Object.fromEntries(NAMES.map((name) => [name, count]))),
);

/** Counts them in one statement. */
export async function readResponsibilities(reader: Reader, id: string): Promise<Responsibilities> {
  const counts = NAMES.map((name) => `(SELECT count(*)::int ${COUNTED[name]}) AS "${name}"`);
  const [row] = await reader.query<Responsibilities>({
    text: `SELECT ${counts.join(', ')}`,
    values: [id],
  });
  return row!;
}

/** The warning about a user who leaves them behind: none where nothing depends on the user. */
export async function warnOfResponsibilities(reader: Reader, id: string): Promise<string[]> {
  const found = Object.entries(await readResponsibilities(reader, id)).filter(([, n]) => n > 0);
  const list = found.map(([name, n]) => `${name} ${n}`).join(', ');
  return list === '' ? [] : [`${userUri(id)} still has ${list}`];
}
