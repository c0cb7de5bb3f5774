import { Controller } from '@nestjs/common';
import { type InvalidField, missingPermission } from '../../base/errors/api-errors.js';
import { accountOf } from '../../directory/hand-out.js';
import { users } from '../../directory/user.resource.js';
import { linkIdIn } from '../../resources/attributes/link-input.js';
import { resourceController } from '../../resources/http/resource.controller.js';
import type { PendingWrite } from '../../resources/write/pending-write.js';
import type { WriteHooks } from '../../resources/write/write-hooks.js';
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
async function checkAccount({
  values,
  before,
  change: { caller },
  transaction,
}: PendingWrite): Promise<InvalidField[]> {
  const [id, former] = [values, before].map((state) =>
    linkIdIn(state?.serviceAccount, [users.ref.uri]),
  );
  if (id === undefined || id === former || id === caller.id) return [];
  if (caller.rights.permits('users:act-for')) return [];
  const account = await accountOf(transaction, id);
  if (account && !account.isService) throw missingPermission('users:act-for');
  return [];
}

/** A service account creates tasks for all users, even after the session that appointed it has ended. */
function asksForProof({ before }: PendingWrite, changed: string[]): boolean {
  return before === undefined || changed.includes('serviceAccount');
}
