import type { MigrationInterface, QueryRunner } from 'typeorm';
import { insertAudiences } from './audiences.js';
import { insertRows } from './insert-rows.js';
import { APPLICATIONS, CATEGORIES, translations } from './portal.js';

/** Seeds categories, and applications with their audiences and views. */
export class SeedDemoPortal1795219301000 implements MigrationInterface {
  name = 'SeedDemoPortal1795219301000';

  async up(runner: QueryRunner): Promise<void> {
    const categoryIds = await insertRows(
      runner,
      'categories',
      CATEGORIES.map(({ reference, title, translated }, position) => ({
        reference,
        title,
        translations: translations('title', translated),
        position,
      })),
    );
    const categories = new Map(CATEGORIES.map(({ reference }, i) => [reference, categoryIds[i]!]));
    const ids = await insertRows(
      runner,
      'applications',
      APPLICATIONS.map((application, position) => ({
        reference: application.reference,
        title: application.title,
        translations: translations('title', application.translated),
        type: application.type,
        tile_color: application.tileColor,
        icon: application.icon,
        keywords: application.keywords,
        link: application.link ?? null,
        target_blank: application.targetBlank ?? false,
        help_link_js: application.helpLinkJS ?? null,
        active: application.active ?? true,
        position,
      })),
    );
    await runner.query(
      `UPDATE applications SET link = '/workplace/applications/' || id WHERE type = 'PROCESS' AND link IS NULL`,
    );
    await insertRows(
      runner,
      'application_categories',
      APPLICATIONS.flatMap(({ categories: names }, i) =>
        names.map((name) => ({ application_id: ids[i], category_id: categories.get(name) })),
      ),
    );
    await insertAudiences(
      runner,
      'application',
      APPLICATIONS.map(({ audience }, i) => [ids[i]!, audience]),
    );
    await this.insertViews(runner, ids);
  }

  private async insertViews(runner: QueryRunner, ids: string[]): Promise<void> {
    for (const [i, { reference, view }] of APPLICATIONS.entries()) {
      if (!view) continue;
      const [viewId] = await insertRows(runner, 'views', [
        {
          reference: `${reference}-OPEN`,
          label: view.label,
          translations: translations('label', view.translated),
          application_id: ids[i],
          columns: ['title', 'priority', 'dueDate', 'assignee'],
          filters: view.filters,
          sorter: view.sorter,
        },
      ]);
      await runner.query('UPDATE applications SET view_id = $1 WHERE id = $2', [viewId, ids[i]]);
    }
    await insertRows(runner, 'views', [
      {
        reference: 'LEAVE-DONE',
        label: 'My closed requests',
        translations: translations('label', {
          fr: 'Mes demandes closes',
          de: 'Meine erledigten Anträge',
        }),
        application_id: ids[0],
        columns: ['title', 'completionDate'],
        filters: ['status:neq:open', 'assignee:eq:@me'],
        sorter: '-completionDate',
      },
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    const references = APPLICATIONS.map(({ reference }) => reference);
    await runner.query('UPDATE applications SET view_id = NULL WHERE reference = ANY ($1)', [
      references,
    ]);
    await runner.query(
      'DELETE FROM views WHERE application_id IN (SELECT id FROM applications WHERE reference = ANY ($1))',
      [references],
    );
    await runner.query('DELETE FROM applications WHERE reference = ANY ($1)', [references]);
    await runner.query('DELETE FROM categories WHERE reference = ANY ($1)', [
      CATEGORIES.map(({ reference }) => reference),
    ]);
  }
}
