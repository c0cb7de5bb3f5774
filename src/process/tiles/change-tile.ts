import type { Database, Transaction } from '../../database/database.js';
import { invalid, type InvalidField } from '../../base/errors/api-errors.js';
import type { Detailed } from '../../resources/resource-reader.js';
import type { Ref } from '../../resources/ref.js';
import { isId, uriOf } from '../../resources/uri.js';
import type { RowChange } from '../../resources/write/pending-write.js';
import type { ResourceWriter } from '../../resources/write/resource-writer.js';
import { applicationHooks } from '../applications/applications.controller.js';
import { applications } from '../applications/application.resource.js';
import type { ChangedTileDto } from './tile.dto.js';
import { collectFaults, rename, toFieldOfView } from './tile-faults.js';
import { views } from './view.resource.js';
import { viewHooks } from './views.controller.js';
import { reason } from '../../base/errors/reason.js';

/**
 * Replaces an application and the view that its tile opens (docs/api-contract.md#tiles-with-a-view). A view with an id
 * replaces that view; one without an id is created. Locks the application before its view, like every write of an
 * application.
 * @throws ApiError 400 naming every bad attribute of both, 404, 409, 412
 */
export function changeTile(
  { database, writer }: { database: Database; writer: ResourceWriter },
  change: RowChange,
  { application, view, viewETag }: ChangedTileDto,
): Promise<Detailed> {
  return database.transaction(async (transaction) => {
    const { representation: before } = await writer.lock(change, transaction, 'FOR NO KEY UPDATE');
    const faults = faultsOfParts(application, view);
    const stored = await collectFaults(
      faults,
      writeView(
        { writer, transaction },
        { ...change, ifMatch: viewETag ?? undefined, ifNoneMatch: undefined },
        view,
      ),
    );
    // The application is checked even when the view is invalid, so that one answer names all faults.
    const opened = stored?.representation ?? (before.view as Ref | null);
    const body = { ...application, view: opened && uriOf(views.ref.uri, opened.id) };
    const tile = await collectFaults(
      faults,
      writer.replaceWithin({ transaction }, change, applicationHooks, body),
    );
    if (!tile || faults.length > 0) throw invalid(faults);
    return tile;
  });
}

/** Each part leaves out its link to the other one, which the server sets. */
function faultsOfParts(
  application: Record<string, unknown>,
  view: Record<string, unknown>,
): InvalidField[] {
  const faults: InvalidField[] = [];
  if ((application.view ?? null) !== null)
    faults.push({ name: 'application.view', reason: reason('set-by-server') });
  if ((view.application ?? null) !== null)
    faults.push({ name: 'view.application', reason: reason('set-by-server') });
  return faults;
}

/** @param change of the application, with the ETag of the view */
async function writeView(
  { writer, transaction }: { writer: ResourceWriter; transaction: Transaction },
  change: RowChange,
  view: Record<string, unknown>,
): Promise<Detailed> {
  const body = { ...view, application: uriOf(applications.ref.uri, change.id) };
  const { id } = view;
  if (id === undefined || id === null)
    return writer
      .createWithin({ transaction }, { ...change, resource: views, id: undefined }, viewHooks, body)
      .catch((error: unknown) => rename(error, toFieldOfView));
  // Some clients write an id as a number.
  const viewId = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  const [own] = isId(viewId)
    ? await transaction.rows({
        text: 'SELECT 1 FROM views WHERE id = $1 AND application_id = $2 FOR NO KEY UPDATE',
        values: [viewId, change.id],
      })
    : [];
  if (!own) throw invalid([{ name: 'view.id', reason: reason('foreign-view') }]);
  return writer
    .replaceWithin({ transaction }, { ...change, resource: views, id: viewId }, viewHooks, body)
    .catch((error: unknown) => rename(error, toFieldOfView));
}
