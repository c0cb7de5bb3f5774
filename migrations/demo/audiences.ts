import type { QueryRunner } from 'typeorm';
import { idsBy, insertRows } from './insert-rows.js';
import type { Audience } from './portal.js';

/** Stores audiences, given as codes by the owner's id. */
export async function insertAudiences(
  runner: QueryRunner,
  singular: string,
  owners: [id: string, audience: Audience][],
): Promise<void> {
  const users = await idsBy(runner, 'users', 'login');
  const groups = await idsBy(runner, 'groups', 'reference');
  const organizations = await idsBy(runner, 'organizations', 'reference');
  const rows = owners.flatMap(([id, audience]) =>
    audience.map((code) => {
      const [kind, name = ''] = code.split(':');
      return {
        [`${singular}_id`]: id,
        user_id: kind === 'user' ? users.get(name) : null,
        group_id: kind === 'group' ? groups.get(name) : null,
        organization_id: kind === 'org' ? organizations.get(name) : null,
      };
    }),
  );
  await insertRows(runner, `${singular}_audiences`, rows);
}
