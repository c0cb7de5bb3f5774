import type { Command } from 'commander';
import { Database } from '../database/database.js';
import { endpoints } from '../deliveries/endpoint.resource.js';
import { EndpointsService } from '../deliveries/endpoints.service.js';
import type { ReplayOrder } from '../deliveries/replay.js';
import { tasks } from '../process/task.resource.js';
import { validateTimestamp } from '../resources/attributes/timestamps.js';
import { isId } from '../resources/uri.js';
import { presentAttempt, type StoredAttempt } from '../deliveries/attempts.js';
import { action } from './action.js';
import { idOf } from './id-of.js';
import { Misuse, print, type PrintOptions } from './output.js';
import { withServer } from './with-server.js';

/** The newest deliveries that a list shows, unless a limit is given. */
const LISTED = 50;

/** The states of a delivery. */
const STATES = ['waiting', 'leased', 'delivered', 'failed'];

interface ListOptions extends PrintOptions {
  state?: string;
  task?: string;
  limit?: string;
}

interface ReplayOptions {
  failed?: boolean;
  from?: string;
  to?: string;
  fromDelivery?: string;
}

/** `deliveries list|replay` */
export function addDeliveryCommands(program: Command): void {
  const deliveries = program.command('deliveries').description('events on their way');
  deliveries
    .command('list')
    .argument('<endpoint>', 'its reference or id')
    .option('--state <state>', STATES.join(', '))
    .option('--task <task>', 'the reference or id of a task')
    .option('--limit <count>', 'how many, the newest first', String(LISTED))
    .option('--json', 'print JSON with every attempt')
    .description('list the deliveries of an endpoint with their last attempts')
    .action(action(listDeliveries));
  deliveries
    .command('replay')
    .argument('<endpoint>', 'its reference or id')
    .argument('[ids...]', 'deliveries that were delivered or have failed')
    .option('--failed', 'all that have failed, or those of the time')
    .option(
      '--from <timestamp>',
      'those of changes at this time or later, such as 2027-08-02T06:00:00Z',
    )
    .option('--to <timestamp>', 'those of changes before this time')
    .option('--from-delivery <id>', 'this delivery and all after it')
    .description(
      'send deliveries again, in their order, under the same message ids; prints how many',
    )
    .action(action(replay));
}

const listDeliveries = (name: string, options: ListOptions): Promise<void> =>
  withServer(async (server) => {
    const { state = null, task, limit = String(LISTED), json } = options;
    if (state !== null && !STATES.includes(state))
      throw new Misuse(`the state must be one of ${STATES.join(', ')}`);
    if (!/^[1-9]\d{0,5}$/.test(limit)) throw new Misuse('the limit must be a whole number');
    const rows = await server.get(Database).query<Record<string, unknown>>({
      text: `SELECT d.id::text, d.kind, t.reference AS task, d.revision, d.status, d.attempts,
          CASE WHEN d.status = 'waiting' THEN d.next_attempt END AS "nextAttemptDate",
          ${json ? 'd.log' : `d.log->-1->>'date' AS "lastAttemptDate", (d.log->-1->>'status')::integer AS answer, d.log->-1->>'message' AS message`}
        FROM deliveries d LEFT JOIN tasks t ON t.id = d.task_id
        WHERE d.endpoint_id = $1 AND ($2::text IS NULL OR d.status = $2) AND ($3::bigint IS NULL OR d.task_id = $3)
        ORDER BY d.id DESC LIMIT $4`,
      values: [
        await idOf(server, endpoints, name),
        state,
        task === undefined ? null : await idOf(server, tasks, task),
        limit,
      ],
    });
    for (const row of json ? rows : []) row.log = (row.log as StoredAttempt[]).map(presentAttempt);
    print(rows, options);
  });

const replay = (name: string, ids: string[], options: ReplayOptions): Promise<void> =>
  withServer(async (server) => {
    const order = orderOf(ids, options);
    const id = await idOf(server, endpoints, name);
    const service = server.get(EndpointsService);
    let { count, next } = await service.replay(server.auditContext, id, order);
    while (next !== null) {
      const more = { ...order, fromDelivery: next };
      const replayed = await service.replay(server.auditContext, id, more);
      count += replayed.count;
      next = replayed.next;
    }
    process.stdout.write(`${count}\n`);
  });

/** @throws Misuse naming every option that makes no sense */
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
