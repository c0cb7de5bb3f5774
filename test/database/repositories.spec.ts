import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getRepositoryToken } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { fromDatabaseError } from '../../src/base/errors/database-errors.js';
import { POOL_SIZE } from '../../src/database/connection-options.js';
import { Database } from '../../src/database/database.js';
import { Photo } from '../../src/directory/photo.entity.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
let database: Database;
let photos: Repository<Photo>;
beforeAll(async () => {
  server = await startTestServer();
  database = server.app.get(Database);
  photos = server.app.get<Repository<Photo>>(getRepositoryToken(Photo));
});
afterAll(() => server.close());

/** The photo of sysadmin. */
const photo = { userId: '1', content: Buffer.from([0, 255]), mediaType: 'image/png', digest: '' };

describe('a repository', () => {
  it('waits outside of a transaction for the same connections as a statement', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const held = Array.from({ length: POOL_SIZE }, () => database.transaction(() => ended));
    const found = photos.findOneBy({ userId: '1' });
    const { waiting } = database.load;
    end();
    await Promise.all(held);
    expect({ waiting, found: await found }).toEqual({ waiting: 1, found: null });
  });

  it('keeps the plan of a statement outside of a transaction', async () => {
    await photos.existsBy({ userId: '1' });
    const plans = await database.query<{ statement: string }>({
      text: `SELECT statement FROM pg_prepared_statements WHERE statement LIKE 'SELECT 1 AS "row_exists"%"photos"%'`,
      values: [],
    });
    expect(plans).not.toEqual([]);
  });

  it('writes rows in a transaction that are rolled back with it', async () => {
    const failed = database.transaction(async (transaction) => {
      await transaction.of(Photo).insert({ ...photo });
      expect(await transaction.of(Photo).findOneBy({ userId: '1' })).toMatchObject(photo);
      expect(await photos.existsBy({ userId: '1' })).toBe(false);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await photos.existsBy({ userId: '1' })).toBe(false);
  });

  it.each([
    ['outside of a transaction', () => photos.insert({ ...photo, userId: '0' })],
    [
      'in a transaction',
      () =>
        database.transaction((transaction) =>
          transaction.of(Photo).insert({ ...photo, userId: '0' }),
        ),
    ],
  ])('fails %s by the name of the constraint', async (_where, insert) => {
    const error: unknown = await insert().catch((error: unknown) => error);
    expect(error).toMatchObject({ code: '23503', constraint: 'photos_user_id_fkey' });
    expect(fromDatabaseError(error)?.status).toBe(409);
  });

  // What `pg_current_wal_lsn()` says on a standby, which the feed asks.
  it('is unavailable where only the primary can answer', async () => {
    const error: unknown = await database
      .query({
        text: `DO $$ BEGIN RAISE 'recovery is in progress' USING ERRCODE = '55000'; END $$`,
        values: [],
      })
      .catch((error: unknown) => error);
    expect(fromDatabaseError(error)?.status).toBe(503);
  });

  it('begins a transaction of its own to save several rows', async () => {
    const people = await database.query<{ id: string }>({
      text: 'SELECT id::text FROM users WHERE id NOT IN (SELECT user_id FROM photos) AND NOT sysadmin LIMIT 1',
      values: [],
    });
    const rows = [...people, { id: '0' }].map(({ id }) => ({ ...photo, userId: id }));
    await expect(photos.save(rows)).rejects.toMatchObject({ code: '23503' });
    expect(await photos.existsBy({ userId: people[0]!.id })).toBe(false);
  });
});
