import { idsBy, insertRows } from './insert-rows.js';
/** Stores audiences: for each owner's id its codes. */
export async function insertAudiences(runner, singular, owners) {
    const users = await idsBy(runner, 'users', 'login');
    const groups = await idsBy(runner, 'groups', 'reference');
    const organizations = await idsBy(runner, 'organizations', 'reference');
    const rows = owners.flatMap(([id, audience]) => audience.map((code) => {
        const [kind, name = ''] = code.split(':');
        return {
            [`${singular}_id`]: id,
            user_id: kind === 'user' ? users.get(name) : null,
            group_id: kind === 'group' ? groups.get(name) : null,
            organization_id: kind === 'org' ? organizations.get(name) : null,
        };
    }));
    await insertRows(runner, `${singular}_audiences`, rows);
}
//# sourceMappingURL=audiences.js.map