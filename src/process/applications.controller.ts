import { Controller } from '@nestjs/common';
import type { InvalidField } from '../errors/api-errors.js';
import type { PendingWrite } from '../resources/write/pending-write.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import { resourceController } from '../resources/resource.controller.js';
import { idIn } from '../resources/uri.js';
import { applications } from './application.resource.js';
import { views } from './view.resource.js';

@Controller('api/v2/navigation/applications')
export class ApplicationsController extends resourceController(applications) {
  override hooks: WriteHooks = { beforeWrite: checkView };
}

/**
 * A tile opens a view of its own application only. A copy of an application has none yet: the view stays with
 * the original. The lock excludes a write that moves the view to another application at the same time.
 */
async function checkView({
  change: { id },
  copiedId,
  values,
  faults,
  transaction,
}: PendingWrite): Promise<InvalidField[]> {
  const view = values.view as { id?: string; uri?: string } | string | null;
  if (view === null || view === undefined || faults.length > 0) return [];
  const text = typeof view === 'string' ? view : (view.uri ?? view.id ?? '');
  const rows = await transaction.rows({
    text: 'SELECT 1 FROM views WHERE id = $1 AND application_id = $2 FOR SHARE',
    values: [idIn(text, views.ref.uri), id ?? copiedId ?? null],
  });
  if (rows.length === 0) return [{ name: 'view', message: 'must be a view of this application' }];
  if (id === undefined) values.view = null;
  return [];
}
