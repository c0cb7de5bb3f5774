import { Controller } from '@nestjs/common';
import type { InvalidField } from '../../base/errors/api-errors.js';
import { appointsAnother } from '../../directory/hand-out.js';
import { resourceController } from '../../resources/http/resource.controller.js';
import type { PendingWrite } from '../../resources/write/pending-write.js';
import type { WriteHooks } from '../../resources/write/write-hooks.js';
import { requirePermissions } from '../../security/permission.guard.js';
import { sources } from './source.resource.js';

/** Administrators write sources. */
@Controller('api/v2/process/sources')
export class SourcesController extends resourceController(sources) {
  override hooks: WriteHooks = { beforeWrite: checkAccount, asksForProof };
}

/**
 * Tasks that a source closes are closed in the name of its account, whoever pushes.
 * @throws ApiError 403 for another person as the account, without the permission to act for people
 */
async function checkAccount(write: PendingWrite): Promise<InvalidField[]> {
  if (await appointsAnother(write, 'serviceAccount'))
    requirePermissions(write.change.caller, ['users:act-for']);
  return [];
}

/** A service account creates tasks for all users, even after the session that appointed it has ended. */
function asksForProof({ before }: PendingWrite, changed: string[]): boolean {
  return before === undefined || changed.includes('serviceAccount');
}
