import { Injectable } from '@nestjs/common';
import { In, Not } from 'typeorm';
import { Database, type Reader, type Transaction } from '../database/database.js';
import { conflict, invalid, notFound } from '../base/errors/api-errors.js';
import { Bindings } from '../database/bindings.js';
import { applications, visibleInWorkplace } from '../process/applications/application.resource.js';
import { presentRef, type Ref } from '../resources/ref.js';
import { uriOf } from '../resources/uri.js';
import { AuditService, type AuditContext } from '../security/audit.service.js';
import type { Viewer } from '../security/caller.js';
import { lockUser } from '../security/lock-user.js';
import { userUri } from '../security/user-uri.js';
import { Favourite } from './favourite.entity.js';
import { MAX_FAVOURITES } from './favourites.dto.js';
import { reason } from '../base/errors/reason.js';

/** The favourites of a person under a lock. */
interface Stored {
  transaction: Transaction;
  /** All ids in their order, the hidden ones too. */
  before: string[];
  /** Those that the person sees at present. */
  visible: Set<string>;
}

/** Favourite applications, in the order that the person chose (docs/api-contract.md#favourites). */
@Injectable()
export class FavouritesService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
  ) {}

  /** The favourites that the person sees. Hidden ones stay stored, but are not listed. */
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
   * Replaces the list. Favourites hidden from the person stay: in place if the new list names them, else at the end.
   * @param ids of applications, in the wanted order, none twice
   * @throws ApiError 400 naming `applications` when the person does not see an added one
   */
  replace(viewer: Viewer, auditContext: AuditContext, ids: string[]): Promise<Ref[]> {
    return this.change(viewer, auditContext, async ({ transaction, before, visible }) => {
      const added = ids.filter((id) => !before.includes(id));
      const unknown = await hiddenAmong(transaction, viewer, added);
      if (unknown.length > 0)
        throw invalid(
          unknown.map((id) => ({
            name: 'applications',
            reason: reason('unknown-object', { uri: uriOfApplication(id) }),
          })),
        );
      const hidden = before.filter((id) => !visible.has(id));
      return [...ids, ...hidden.filter((id) => !ids.includes(id))];
    });
  }

  /**
   * Appends an application. One that is already in the list keeps its place.
   * @throws ApiError 404 when the person does not see it, 409 when the list that the person sees is full
   */
  add(viewer: Viewer, auditContext: AuditContext, id: string): Promise<Ref[]> {
    return this.change(viewer, auditContext, async ({ transaction, before, visible }) => {
      if ((await hiddenAmong(transaction, viewer, [id])).length > 0) throw notFound();
      if (before.includes(id)) return before;
      if (visible.size >= MAX_FAVOURITES)
        throw conflict(reason('too-many-favourites', { max: MAX_FAVOURITES }));
      return [...before, id];
    });
  }

  /**
   * Removes an application, even a hidden one. It does nothing for one that is not in the list, and so reveals nothing.
   */
  remove(viewer: Viewer, auditContext: AuditContext, id: string): Promise<Ref[]> {
    return this.change(viewer, auditContext, ({ before }) => before.filter((one) => one !== id));
  }

  /**
   * Stores the list that `decide` returns for the current one, and audits a change.
   * @returns the new list, as the person sees it
   */
  private change(
    viewer: Viewer,
    auditContext: AuditContext,
    decide: (stored: Stored) => string[] | Promise<string[]>,
  ): Promise<Ref[]> {
    return this.database.transaction(async (transaction) => {
      await lockUser(transaction, viewer.id);
      const stored = await transaction
        .of(Favourite)
        .find({ where: { userId: viewer.id }, order: { position: 'ASC' } });
      const before = stored.map(({ applicationId }) => applicationId);
      const shown = await this.list(viewer, transaction);
      const visible = new Set(shown.map(({ id }) => id));
      const after = await decide({ transaction, before, visible });
      // What changes nothing is not audited.
      if (before.join() === after.join()) return shown;
      await store(transaction, viewer, stored, after);
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

/**
 * Writes a list. It leaves the unchanged rows at its beginning, because every written row adds one to the journal
 * (docs/decisions/0032).
 */
async function store(
  transaction: Transaction,
  { id: userId }: Viewer,
  before: Favourite[],
  after: string[],
): Promise<void> {
  const staying = before.filter(({ applicationId }) => after.includes(applicationId));
  const isBeginning = staying.every(({ applicationId }, at) => applicationId === after[at]);
  const kept = isBeginning ? staying : [];
  const last = kept.at(-1)?.position ?? 0;
  const added = after.slice(kept.length);
  const favourites = transaction.of(Favourite);
  const keptIds = kept.map(({ applicationId }) => applicationId);
  await favourites.delete({ userId, applicationId: Not(In(keptIds)) });
  await favourites.insert(
    added.map((applicationId, at) => ({ userId, applicationId, position: last + at + 1 })),
  );
}

/** The ids of those applications that do not exist or that the person does not see. */
async function hiddenAmong(reader: Reader, viewer: Viewer, ids: string[]): Promise<string[]> {
  const { bind, values } = new Bindings();
  const rows = await reader.query<{ id: string }>({
    // The lock prevents their deletion before the favourites are stored.
    text: `SELECT a.id FROM applications a WHERE a.id = ANY (${bind(ids)}::bigint[])
      AND ${visibleInWorkplace('a', bind(viewer.id))} FOR KEY SHARE OF a`,
    values,
  });
  const visible = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !visible.has(id));
}
