import { invalid } from '../../errors/api-errors.js';
import type { PendingWrite } from './pending-write.js';
import { resolveLinks } from './resolve-links.js';
import type { WriteHooks } from './write-hooks.js';

/**
 * Resolves links, runs the checks of the resource's hooks, and reports all faults together.
 * @returns the write with its links resolved
 * @throws ApiError 400 naming every bad attribute; any error of the hooks
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
  if (faults.length > 0) throw invalid(faults);
  return checked;
}
