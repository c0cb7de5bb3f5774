import { Injectable } from '@nestjs/common';
import { Database, type Reader } from '../database/database.js';
import { invalidField } from '../errors/api-errors.js';
import { Bindings } from '../database/bindings.js';
import { applications, visibleInWorkplace } from '../process/application.resource.js';
import { presentRef, type Ref } from '../resources/ref.js';
import { uriOf } from '../resources/uri.js';
import { AuditService, type AuditContext } from '../security/audit.service.js';
import type { Viewer } from '../security/caller.js';
import { userUri } from '../security/user-uri.js';

/** The applications that a person keeps at hand, in the person's order. */
@Injectable()
export class FavouritesService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
  ) {}

  /** Those that the person sees; one that is hidden for a while is kept, but not shown. */
  async list(viewer: Viewer, reader: Reader = this.database): Promise<Ref[]> {
    const { bind, values } = new Bindings();
    const rows = await reader.query<{ id: string; reference: string; title: string }>({
      text: `SELECT a.id, a.reference, a.title FROM favourites f JOIN applications a ON a.id = f.application_id
        WHERE f.user_id = ${bind(viewer.id)} AND ${visibleInWorkplace('a', bind(viewer.id))} ORDER BY f.position`,
      values,
    });
    return rows.map(({ id, reference, title }) =>
      presentRef(applications.ref, id, reference, title),
    );
  }

  /**
   * Replaces the list. Those that are hidden from the person now stay: where the new list names them, else after it.
   * @param ids of applications, in the wanted order, none twice
   * @throws ApiError 400 naming `applications` when the person does not see an added one
   */
  async replace(viewer: Viewer, auditContext: AuditContext, ids: string[]): Promise<Ref[]> {
    return this.database.transaction(async (transaction) => {
      // Parallel requests of one person wait for each other here, so that their lists do not mix.
      await transaction.execute({
        text: 'SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE',
        values: [viewer.id],
      });
      const before = await stored(transaction, viewer);
      const added = ids.filter((id) => !before.includes(id));
      await requireVisible(transaction, viewer, added);
      const visible = new Set((await this.list(viewer, transaction)).map(({ id }) => id));
      const hidden = before.filter((id) => !visible.has(id));
      const after = [...ids, ...hidden.filter((id) => !ids.includes(id))];
      // What changes nothing is not audited.
      if (before.join() === after.join()) return this.list(viewer, transaction);
      await transaction.execute({
        text: 'DELETE FROM favourites WHERE user_id = $1',
        values: [viewer.id],
      });
      await transaction.execute({
        text: `INSERT INTO favourites (user_id, application_id, position)
          SELECT $1, id, position FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (id, position)`,
        values: [viewer.id, after],
      });
      await this.audit.record(transaction, auditContext, {
        action: 'set-favourites',
        objectUri: userUri(viewer.id),
        before: { applications: before.map(uriOfApplication) },
        after: { applications: after.map(uriOfApplication) },
      });
      return this.list(viewer, transaction);
    });
  }
}

const uriOfApplication = (id: string): string => uriOf(applications.ref.uri, id);

/** The ids that are kept, in their order, the hidden ones too. */
async function stored(reader: Reader, { id }: Viewer): Promise<string[]> {
  const rows = await reader.query<{ id: string }>({
    text: 'SELECT application_id AS id FROM favourites WHERE user_id = $1 ORDER BY position',
    values: [id],
  });
  return rows.map((row) => row.id);
}

async function requireVisible(reader: Reader, viewer: Viewer, ids: string[]): Promise<void> {
  const { bind, values } = new Bindings();
  const rows = await reader.query<{ id: string }>({
    text: `SELECT a.id FROM applications a WHERE a.id = ANY (${bind(ids)}::bigint[]) AND ${visibleInWorkplace('a', bind(viewer.id))}`,
    values,
  });
  const visible = new Set(rows.map(({ id }) => id));
  const unknown = ids.filter((id) => !visible.has(id)).map(uriOfApplication);
  if (unknown.length > 0) throw invalidField('applications', `there is no ${unknown.join(', ')}`);
}
