import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { idsBy, insertRows } from './insert-rows.js';
import { PEOPLE } from './people.js';
import { drawPortrait, encodePortrait } from './portraits.js';

/** Two of three people have a photo; technical accounts have none. */
const PORTRAYED = PEOPLE.filter(({ processEngine }, place) => !processEngine && place % 3 !== 2);

/** Seeds drawn photos of people who have none yet. */
export class SeedDemoPhotos1795219304000 implements MigrationInterface {
  name = 'SeedDemoPhotos1795219304000';

  async up(runner: QueryRunner): Promise<void> {
    const users = await idsBy(runner, 'users', 'login');
    const photos = (await runner.query('SELECT user_id FROM photos')) as { user_id: string }[];
    const taken = new Set(photos.map(({ user_id }) => user_id));
    const missing = PORTRAYED.filter(({ login }) => {
      const id = users.get(login);
      return id !== undefined && !taken.has(id);
    });
    const rows = await Promise.all(
      missing.map(async ({ login, gender }) => {
        const content = await encodePortrait(drawPortrait(login, gender));
        return {
          user_id: users.get(login),
          content,
          media_type: 'image/webp',
          digest: createHash('sha256').update(content).digest('hex'),
        };
      }),
    );
    await insertRows(runner, 'photos', rows);
  }

  /** Keeps the photos that people stored themselves: those have another digest. */
  async down(runner: QueryRunner): Promise<void> {
    const drawn = await Promise.all(
      PORTRAYED.map(async ({ login, gender }) =>
        createHash('sha256')
          .update(await encodePortrait(drawPortrait(login, gender)))
          .digest('hex'),
      ),
    );
    await runner.query('DELETE FROM photos WHERE digest = ANY ($1)', [drawn]);
  }
}
