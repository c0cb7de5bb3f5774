import { Controller } from '@nestjs/common';
import type { PendingWrite, WriteHooks } from '../resources/write/pending-write.js';
import { resourceController } from '../resources/resource.controller.js';
import { idIn } from '../resources/uri.js';
import { applications } from './application.resource.js';
import { views } from './view.resource.js';

@Controller('api/v2/navigation/applications')
export class ApplicationsController extends resourceController(applications) {
  override rules: WriteHooks = { beforeWrite: checkView };
}

/**
 * The view that the tile opens is one of the application's own. A copy has none yet: the view in it
 * stays with the original.
 */
async function checkView({ id, copiedId, values, bad, transaction }: PendingWrite): Promise<void> {
  const view = values.view as { id?: string; uri?: string } | string | null;
  if (view === null || view === undefined || bad.length > 0) return;
  const text = typeof view === 'string' ? view : (view.uri ?? view.id ?? '');
  const rows = await transaction.rows({
    text: 'SELECT 1 FROM views WHERE id = $1 AND application_id = $2',
    values: [idIn(text, views.ref.uri), id ?? copiedId ?? null],
  });
  if (rows.length === 0) bad.push({ name: 'view', message: 'must be a view of this application' });
  else if (id === undefined) values.view = null;
}
