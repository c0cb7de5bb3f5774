import { Controller } from '@nestjs/common';
import type { InvalidField } from '../../base/errors/api-errors.js';
import type { LinkAttribute } from '../../resources/attributes/link-attribute.js';
import { linkIdIn } from '../../resources/attributes/link-input.js';
import { type PendingWrite, validValues } from '../../resources/write/pending-write.js';
import type { WriteHooks } from '../../resources/write/write-hooks.js';
import { resourceController } from '../../resources/http/resource.controller.js';
import { applications } from './application.resource.js';
import { reason } from '../../base/errors/reason.js';

export const applicationHooks = { beforeWrite: checkView } satisfies WriteHooks;

@Controller('api/v2/navigation/applications')
export class ApplicationsController extends resourceController(applications) {
  override hooks: WriteHooks = applicationHooks;
}

/**
 * A tile opens only a view of its own application. A copy of an application starts without one: the view stays with the
 * original. The lock excludes a concurrent write that moves the view to another application.
 */
async function checkView(write: PendingWrite): Promise<InvalidField[]> {
  const {
    change: { id },
    copiedId,
    values,
    transaction,
  } = write;
  const { view } = validValues(write);
  if (!view) return [];
  const rows = await transaction.rows({
    text: 'SELECT 1 FROM views WHERE id = $1 AND application_id = $2 FOR SHARE',
    values: [
      linkIdIn(view, [(applications.attributes.get('view') as LinkAttribute).target.ref.uri]),
      id ?? copiedId ?? null,
    ],
  });
  if (rows.length === 0) return [{ name: 'view', reason: reason('foreign-view') }];
  if (id === undefined) values.view = null;
  return [];
}
