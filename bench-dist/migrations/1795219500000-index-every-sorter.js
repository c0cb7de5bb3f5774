import { foldIndexes, sortIndexes } from './table-parts.js';
/** What is sorted by through an index from now on. */
const SORTED = {
    users: {
        texts: [
            'login',
            'first_name',
            'last_name',
            'nick_name',
            'title',
            'email',
            'phone_number',
            'mobile_phone_number',
            'user_function',
            'external_id',
        ],
        values: ['locale', 'manager_id', 'administrator', 'process_engine'],
    },
    organizations: {
        texts: ['label', 'external_id'],
        values: ['active', 'creation_date', 'modification_date'],
    },
    groups: { texts: ['label', 'external_id'], values: ['creation_date', 'modification_date'] },
    documents: {
        texts: ['title', 'file_name', 'mime_type', 'version', 'category'],
        values: ['size', 'locale', 'status'],
    },
    news: { texts: ['title', 'category'], values: ['end_date', 'locale', 'status'] },
    faqs: { texts: ['question', 'category'], values: ['locale', 'status'] },
    customers: {
        texts: [
            'name',
            'code',
            'tax_number',
            'email',
            'phone_number',
            'address',
            'city',
            'country',
            'web_site',
            'contact_name',
        ],
        values: ['locale', 'status'],
    },
    tasks: {
        texts: ['title'],
        values: ['application_id', 'assignee_id', 'group_id', 'modification_date', 'completion_date'],
    },
    views: { texts: ['label'], values: ['filter_mode', 'creation_date', 'modification_date'] },
    categories: { texts: ['title'], values: ['position', 'creation_date', 'modification_date'] },
    applications: { texts: ['title'], values: ['position', 'creation_date', 'modification_date'] },
    audit: {
        texts: ['actor_uri', 'actor_login', 'object_uri', 'address', 'request_id', 'reason'],
        values: ['count'],
    },
};
/** The indexes with the collation around fold(), which are replaced. */
const REPLACED = {
    users: ['login', 'first_name', 'last_name', 'title', 'email', 'user_function', 'external_id'],
    organizations: ['label', 'external_id'],
    groups: ['label', 'external_id'],
    documents: ['title'],
    news: ['title'],
    faqs: ['question'],
    customers: ['name'],
    tasks: ['title'],
    views: ['label'],
    categories: ['title'],
    applications: ['title'],
    audit: ['actor_uri', 'actor_login', 'object_uri', 'address', 'request_id', 'reason'],
};
/** Tables whose objects have a reference: unique, and sorted by like any text. */
const REFERENCED = Object.keys(SORTED).filter((table) => !['users', 'audit'].includes(table));
/** The managers that an index holds already, but not where there is none. */
const MANAGERS = 'users_manager_id_idx';
/**
 * Every list can be sorted by each of its attributes through an index, but where an entry would not
 * hold the text (descriptions, links) or the value lives in another table.
 */
export class IndexEverySorter1795219500000 {
    name = 'IndexEverySorter1795219500000';
    async up(runner) {
        for (const [table, columns] of Object.entries(REPLACED))
            for (const column of columns)
                await runner.query(`DROP INDEX ${table}_${column}_fold_idx`);
        await runner.query(`DROP INDEX ${MANAGERS}`);
        for (const [table, columns] of Object.entries(SORTED))
            await sortIndexes(runner, table, columns);
        for (const table of REFERENCED) {
            await runner.query(`DROP INDEX ${table}_reference_key`);
            await runner.query(`CREATE UNIQUE INDEX ${table}_reference_key ON ${table} (fold(reference COLLATE "C"))`);
            await sortIndexes(runner, table, { texts: ['reference'] });
        }
    }
    async down(runner) {
        for (const table of REFERENCED) {
            await runner.query(`DROP INDEX ${table}_reference_sort_idx`);
            await runner.query(`DROP INDEX ${table}_reference_key`);
            await runner.query(`CREATE UNIQUE INDEX ${table}_reference_key ON ${table} ((fold(reference) COLLATE "C"))`);
        }
        for (const [table, { texts = [], values = [] }] of Object.entries(SORTED))
            for (const column of [...texts, ...values])
                await runner.query(`DROP INDEX ${table}_${column}_sort_idx`);
        await runner.query(`CREATE INDEX ${MANAGERS} ON users (manager_id, id) WHERE manager_id IS NOT NULL`);
        for (const [table, columns] of Object.entries(REPLACED))
            await foldIndexes(runner, table, columns);
    }
}
//# sourceMappingURL=1795219500000-index-every-sorter.js.map