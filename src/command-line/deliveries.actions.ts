import { ADMINISTRATOR } from './administrator.js';
import { Database } from '../database/database.js';
import { endpoints } from '../deliveries/endpoints/endpoint.resource.js';
import { EndpointsService } from '../deliveries/endpoints/endpoints.service.js';
import type { ReplayOrder } from '../deliveries/events/replay.js';
import { validateTimestamp } from '../resources/attributes/timestamps.js';
import { isId } from '../resources/uri.js';
import { idOf } from './id-of.js';
import { Misuse, print, type PrintOptions } from './output.js';
import { PROCESS_MODULES } from './process-modules.js';
import { withServer } from './with-server.js';

interface ReplayOptions extends PrintOptions {
  failed?: boolean;
  from?: string;
  to?: string;
  fromDelivery?: string;
}

export const replay = (
  name: string,
  ids: string[],
  { json, ...options }: ReplayOptions,
): Promise<void> =>
  withServer(PROCESS_MODULES, async (server) => {
    const order = orderOf(ids, options);
    const id = await idOf(server.get(Database), endpoints, name);
    const service = server.get(EndpointsService);
    let { count, next } = await service.replay(ADMINISTRATOR, server.auditContext, id, order);
    while (next !== null) {
      const more = { ...order, fromDelivery: next };
      const replayed = await service.replay(ADMINISTRATOR, server.auditContext, id, more);
      count += replayed.count;
      next = replayed.next;
    }
    print([{ endpoint: name, count }], { json }, String(count));
  });

/** @throws Misuse naming every contradictory option */
function orderOf(ids: string[], options: ReplayOptions): ReplayOrder {
  const { failed, from, to, fromDelivery } = options;
  const faults: string[] = [];
  if ((ids.length === 0) === (Object.keys(options).length === 0))
    faults.push(
      'name the deliveries, or give --failed, --from, --to or --from-delivery, but not both',
    );
  if (![...ids, ...(fromDelivery === undefined ? [] : [fromDelivery])].every(isId))
    faults.push('deliveries are named by their ids');
  for (const [option, value] of Object.entries({ from, to })) {
    const fault = value === undefined ? undefined : validateTimestamp(value);
    if (fault !== undefined) faults.push(`--${option} ${fault.message}`);
  }
  if (faults.length > 0) throw new Misuse(faults.join('; '));
  return {
    deliveries: ids.length > 0 ? ids : null,
    failed: failed === true ? true : null,
    from: from ?? null,
    to: to ?? null,
    fromDelivery: fromDelivery ?? null,
  };
}
