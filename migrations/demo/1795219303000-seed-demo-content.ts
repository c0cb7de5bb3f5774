import type { MigrationInterface, QueryRunner } from 'typeorm';
import { insertAudiences } from './audiences.js';
import { inDays } from './dates.js';
import { idsBy, insertRows } from './insert-rows.js';
import { AUDIENCES, CUSTOMERS, DOCUMENTS, FAQS, NEWS } from './texts.js';

const AUTHORS = ['alice.martin', 'bruno.keller', 'chloe.lefevre'];

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Seeds documents, news, faqs and customers; some have a restricted audience. */
export class SeedDemoContent1795219303000 implements MigrationInterface {
  name = 'SeedDemoContent1795219303000';

  async up(runner: QueryRunner): Promise<void> {
    await this.insert(runner, 'documents', 'document', DOCUMENTS);
    await this.insert(
      runner,
      'news',
      'news',
      NEWS.map(({ publishedIn, endsIn, ...item }) => ({
        ...item,
        publicationDate: inDays(publishedIn),
        endDate: endsIn === null ? null : inDays(endsIn),
      })),
    );
    await this.insert(runner, 'faqs', 'faq', FAQS);
    await this.insert(runner, 'customers', 'customer', CUSTOMERS);
  }

  private async insert(
    runner: QueryRunner,
    table: string,
    singular: string,
    items: Record<string, unknown>[],
  ): Promise<void> {
    const users = await idsBy(runner, 'users', 'login');
    const rows = items.map((item, i) => ({
      locale: 'en',
      ...Object.fromEntries(Object.entries(item).map(([key, value]) => [snakeCase(key), value])),
      reference: referenceOf(singular, i),
      author_id: users.get(AUTHORS[i % AUTHORS.length]!),
      creation_date: inDays(-i),
      modification_date: inDays(-i),
    }));
    const ids = await insertRows(runner, table, rows);
    await insertAudiences(
      runner,
      singular,
      ids.map((id, i) => [id, AUDIENCES[i % AUDIENCES.length]!]),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, singular, items] of [
      ['documents', 'document', DOCUMENTS],
      ['news', 'news', NEWS],
      ['faqs', 'faq', FAQS],
      ['customers', 'customer', CUSTOMERS],
    ] as const)
      await runner.query(`DELETE FROM ${table} WHERE reference = ANY ($1)`, [
        items.map((_, i) => referenceOf(singular, i)),
      ]);
  }
}

const referenceOf = (singular: string, i: number): string =>
  `DEMO-${singular.toUpperCase()}-${i + 1}`;
