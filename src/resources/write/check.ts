import { invalid } from '../../base/errors/api-errors.js';
import { requireRecentProof } from '../../security/recent-proof.js';
import { changedAttributes } from './changed-attributes.js';
import type { PendingWrite } from './pending-write.js';
import { resolveLinks } from './resolve-links.js';
import type { WriteHooks } from './write-hooks.js';

/**
 * Resolves links, runs the checks of the resource's hooks, asks for a recent proof where the write needs one, and
 * reports all faults together.
 * @returns the write with its links resolved
 * @throws ApiError 400 naming every bad attribute; any error of the hooks; 401 or 403 without a recent proof
 */
export async function check(write: PendingWrite, hooks: WriteHooks): Promise<PendingWrite> {
  if (write.faults.some(({ name }) => name === 'body')) throw invalid(write.faults);
  const links = await resolveLinks(write);
  const checked = {
    ...write,
    values: { ...write.values, ...links.values },
    faults: [...write.faults, ...links.faults],
  };
  const faults = [...checked.faults, ...((await hooks.beforeWrite?.(checked)) ?? [])];
  const { caller, provider } = write.change;
  // A provider is a program: an administrator proved their identity when they appointed it.
  if (provider === undefined && hooks.asksForProof?.(checked, changedAttributes(checked)))
    requireRecentProof(caller);
  if (faults.length > 0) throw invalid(faults);
  return checked;
}
