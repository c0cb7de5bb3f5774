import { insertAudiences } from './audiences.js';
import { idsBy, insertRows } from './insert-rows.js';
import { AUDIENCES, CUSTOMERS, DOCUMENTS, FAQS, NEWS } from './texts.js';
const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 1, 9);
const AUTHORS = ['alice.martin', 'bruno.keller', 'chloe.lefevre'];
const inDays = (days) => days === null ? null : new Date(START + days * DAY).toISOString();
const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** Documents, news, faqs and customers, part of them for some people only. */
export class SeedDemoContent1795219303000 {
    name = 'SeedDemoContent1795219303000';
    async up(runner) {
        await this.insert(runner, 'documents', 'document', DOCUMENTS);
        await this.insert(runner, 'news', 'news', NEWS.map(({ publishedIn, endsIn, ...item }) => ({
            ...item,
            publicationDate: inDays(publishedIn),
            endDate: inDays(endsIn),
        })));
        await this.insert(runner, 'faqs', 'faq', FAQS);
        await this.insert(runner, 'customers', 'customer', CUSTOMERS);
    }
    async insert(runner, table, singular, items) {
        const users = await idsBy(runner, 'users', 'login');
        const rows = items.map((item, i) => ({
            ...Object.fromEntries(Object.entries(item).map(([key, value]) => [snakeCase(key), value])),
            reference: referenceOf(singular, i),
            locale: i % 3 === 0 ? 'fr' : 'en',
            author_id: users.get(AUTHORS[i % AUTHORS.length]),
            creation_date: inDays(-i),
            modification_date: inDays(-i),
        }));
        const ids = await insertRows(runner, table, rows);
        await insertAudiences(runner, singular, ids.map((id, i) => [id, AUDIENCES[i % AUDIENCES.length]]));
    }
    async down(runner) {
        for (const [table, singular, items] of [
            ['documents', 'document', DOCUMENTS],
            ['news', 'news', NEWS],
            ['faqs', 'faq', FAQS],
            ['customers', 'customer', CUSTOMERS],
        ])
            await runner.query(`DELETE FROM ${table} WHERE reference = ANY ($1)`, [
                items.map((_, i) => referenceOf(singular, i)),
            ]);
    }
}
const referenceOf = (singular, i) => `DEMO-${singular.toUpperCase()}-${i + 1}`;
//# sourceMappingURL=1795219303000-seed-demo-content.js.map