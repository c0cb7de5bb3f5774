import { createHash } from 'node:crypto';
import { ApiError } from '../base/errors/api-errors.js';
import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { encodePhoto, MAX_PHOTO_BYTES, PHOTO_MEDIA_TYPE } from '../directory/photo-encoder.js';
import { recordAuditLines } from '../security/audit.service.js';
import { userUri } from '../security/user-uri.js';
import type { RunContext } from './run-context.js';

/**
 * SQL of the temporary table of the pictures that were read. A picture that the photo was made of has its line alone, one
 * that cannot be a photo the reason, and every other one its encoded form.
 */
export const PHOTOS_TABLE =
  'CREATE TEMP TABLE ldap_photos (line integer, digest text, content bytea, fault text)';

/** A person who was read, with the picture. */
interface Pictured {
  line: number;
  key: string | null;
  photo: Buffer | null;
}

/** Encodes the pictures of a page that have changed, one at a time, so that a page takes no more memory than one upload. */
export async function stagePhotos(
  session: DedicatedConnection,
  provider: string,
  people: Pictured[],
): Promise<void> {
  const stored = new Map(
    (await session.rows({
      text: `SELECT u.external_id, p.directory_digest FROM users u JOIN photos p ON p.user_id = u.id
        WHERE u.managed_by_id = $1 AND u.external_id = ANY ($2)`,
      values: [provider, people.map(({ key }) => key)],
    })) as [string, string | null][],
  );
  for (const { line, key, photo } of people) {
    if (photo === null) continue;
    const digest = createHash('sha256').update(photo).digest('hex');
    const { content, fault } =
      key !== null && stored.get(key) === digest ? {} : await encoded(photo);
    await session.run('INSERT INTO ldap_photos VALUES ($1, $2, $3, $4)', [
      ...[line, digest, content ?? null, fault ?? null],
    ]);
  }
}

async function encoded(photo: Buffer): Promise<{ content?: Buffer; fault?: string }> {
  if (photo.length > MAX_PHOTO_BYTES)
    return { fault: `has ${photo.length} bytes, and at most ${MAX_PHOTO_BYTES} are allowed` };
  try {
    return { content: await encodePhoto(photo) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { fault: error.details.fields?.[0]?.reason.message ?? error.message };
  }
}

/**
 * Writes the photos that have changed, and removes those that the directory has no longer. The lines of `applyPeople` say
 * who is a person.
 * @returns how many people differ in nothing but the photo
 */
export async function applyPhotos({
  session,
  auditContext,
  skip,
  written,
}: RunContext): Promise<number> {
  const faults = await session.query<{ name: string; fault: string }>({
    text: `SELECT p.login AS name, l.fault FROM ldap_photos l JOIN ldap_people p USING (line) JOIN import_lines USING (line)
      WHERE l.fault IS NOT NULL ORDER BY line`,
    values: [],
  });
  for (const { name, fault } of faults) skip({ name, reason: `photo: ${fault}` });
  const removed = await session.query<Changed>({
    text: `DELETE FROM photos f USING import_lines s JOIN ldap_people p USING (line)
      WHERE f.user_id = s.id AND NOT EXISTS (SELECT FROM ldap_photos l WHERE l.line = s.line)
      RETURNING s.id::text, p.login AS name, NOT s.created AND NOT s.changed AS alone`,
    values: [],
  });
  const stored = await session.query<Changed>({
    text: `WITH stored AS (
        INSERT INTO photos (user_id, content, media_type, digest, directory_digest)
        SELECT s.id, l.content, $1, encode(sha256(l.content), 'hex'), l.digest
        FROM import_lines s JOIN ldap_photos l USING (line) WHERE l.content IS NOT NULL
        ON CONFLICT (user_id) DO UPDATE SET content = excluded.content, media_type = excluded.media_type,
          digest = excluded.digest, directory_digest = excluded.directory_digest, modification_date = now()
        RETURNING user_id)
      SELECT s.id::text, p.login AS name, NOT s.created AND NOT s.changed AS alone
      FROM stored JOIN import_lines s ON s.id = stored.user_id JOIN ldap_people p USING (line) ORDER BY line`,
    values: [PHOTO_MEDIA_TYPE],
  });
  const steps = [
    { action: 'delete-photo' as const, people: removed, reason: 'photo: is not in the directory' },
    { action: 'set-photo' as const, people: stored, reason: 'photo: differs from the directory' },
  ];
  for (const { action, people, reason } of steps) {
    await recordAuditLines(
      session,
      people.map(({ id }) => ({ auditContext, entry: { action, objectUri: userUri(id) } })),
    );
    for (const { name } of people) written({ action: 'update', name, reason });
  }
  return [...removed, ...stored].filter(({ alone }) => alone).length;
}

interface Changed {
  id: string;
  name: string;
  /** Whether nothing else of the person has changed. */
  alone: boolean;
}
