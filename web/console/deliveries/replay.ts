import { send } from '../../api-client/api.js';

/** Selects the deliveries of an endpoint to send again. */
export type ReplayOrder =
  { deliveries: string[] } | { failed?: true; from?: string; to?: string; fromDelivery?: string };

interface Replayed {
  count: number;
  next: string | null;
}

/**
 * Sends deliveries again, in several calls because the server limits their number per call.
 * @returns how many
 */
export async function replay(endpointId: unknown, order: ReplayOrder): Promise<number> {
  const path = `/api/v2/process/endpoints/${String(endpointId)}/replay`;
  const call = async (body: ReplayOrder): Promise<Replayed> =>
    (await (await send(path, { method: 'POST', body })).json()) as Replayed;
  let { count, next } = await call(order);
  while (next !== null) {
    const more = await call({ ...order, fromDelivery: next });
    count += more.count;
    next = more.next;
  }
  return count;
}
