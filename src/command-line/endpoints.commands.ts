import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { Database } from '../database/database.js';
import { SCHEMES } from '../deliveries/endpoint.dto.js';
import { EndpointsService } from '../deliveries/endpoints.service.js';
import { isId } from '../resources/uri.js';
import { action } from './action.js';
import { CommandError, Misuse, print, type PrintOptions } from './output.js';
import { type Server, withServer } from './with-server.js';

/** The newest deliveries that a list shows, unless a limit is given. */
const LISTED = 50;

/** The states of a delivery. */
const STATES = ['waiting', 'leased', 'delivered', 'failed'];

interface ListOptions extends PrintOptions {
  state?: string;
  task?: string;
  limit?: string;
}

interface CredentialsOptions {
  user?: string;
  tokenUrl?: string;
  scope?: string;
  audience?: string;
}

/** `sources list`, `endpoints list|test|credentials`, `deliveries list|replay` */
export function addEndpointCommands(program: Command): void {
  program
    .command('sources')
    .description('programs that put tasks in')
    .command('list')
    .description('list the sources with their accounts and open tasks')
    .option('--json', 'print JSON')
    .action(action((options: PrintOptions) => listSources(options)));
  const endpoints = program.command('endpoints').description('places that hear what happens');
  endpoints
    .command('list')
    .description('list the endpoints with what waits, what has failed, and why')
    .option('--json', 'print JSON')
    .action(action((options: PrintOptions) => listEndpoints(options)));
  endpoints
    .command('test')
    .argument('<endpoint>', 'its reference or id')
    .description('send an event that is about no task; a running server sends it within a second')
    .action(action(test));
  endpoints
    .command('credentials')
    .argument('<endpoint>', 'its reference or id')
    .argument('<scheme>', SCHEMES.join(', '))
    .option('--user <user>', 'the user, or the client id of oauth')
    .option('--token-url <url>', 'where oauth gets its tokens')
    .option('--scope <scope>', 'the scope of these tokens')
    .option('--audience <audience>', 'the audience of these tokens')
    .description(
      'set how an endpoint with an adapter signs in at its engine; the password, token or client secret is read from standard input',
    )
    .action(action(setCredentials));
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
    .option('--failed', 'all that have failed')
    .description('send deliveries again, under the same message id')
    .action(action(replay));
}

const listSources = (options: PrintOptions): Promise<void> =>
  withServer(async (server) => {
    const rows = await server.get(Database).query<Record<string, unknown>>({
      text: `SELECT s.reference, s.label, u.login AS "serviceAccount",
          (SELECT count(*)::integer FROM tasks t WHERE t.source_id = s.id AND t.status = 'open') AS open
        FROM sources s LEFT JOIN users u ON u.id = s.service_account_id ORDER BY s.reference`,
      values: [],
    });
    print(rows, options);
  });

const listEndpoints = (options: PrintOptions): Promise<void> =>
  withServer(async (server) => {
    const rows = await server.get(Database).query<Record<string, unknown>>({
      text: `SELECT p.reference, p.mode, p.adapter, p.confirms OR p.adapter IS NOT NULL AS confirms,
          CASE WHEN p.status = 'paused' THEN 'paused' WHEN h.blocked_until > now() THEN 'unavailable'
            WHEN p.mode = 'push' AND p.adapter IS NULL AND NOT EXISTS (SELECT FROM endpoint_secrets s
              WHERE s.endpoint_id = p.id AND (s.expiration IS NULL OR s.expiration > now())) THEN 'without a secret'
            ELSE 'active' END AS state,
          (SELECT count(*)::integer FROM deliveries d WHERE d.endpoint_id = p.id AND d.status IN ('waiting', 'leased')) AS waiting,
          (SELECT count(*)::integer FROM deliveries d WHERE d.endpoint_id = p.id AND d.status = 'failed') AS failed,
          h.last_success AS "lastSuccess", h.last_failure AS "lastFailure", p.url
        FROM endpoints p LEFT JOIN endpoint_health h ON h.endpoint_id = p.id ORDER BY p.reference`,
      values: [],
    });
    print(rows, options);
  });

const test = (name: string): Promise<void> =>
  withServer(async (server) => {
    const id = await endpointOf(server, name);
    const { messageId } = await server.get(EndpointsService).test(server.auditContext, id);
    process.stdout.write(`${messageId}\n`);
  });

const setCredentials = (
  name: string,
  scheme: string,
  { user, tokenUrl, scope, audience }: CredentialsOptions,
): Promise<void> =>
  withServer(async (server) => {
    const known = SCHEMES.find((one) => one === scheme);
    if (!known) throw new Misuse(`the scheme must be one of ${SCHEMES.join(', ')}`);
    const id = await endpointOf(server, name);
    const given = known === 'none' ? '' : (await text(process.stdin)).replace(/\r?\n$/, '');
    const secret = given === '' ? null : given;
    const parts = {
      user: user ?? null,
      secret,
      tokenUrl: tokenUrl ?? null,
      scope: scope ?? null,
      audience: audience ?? null,
    };
    const service = server.get(EndpointsService);
    await service.setCredentials(server.auditContext, id, { scheme: known, ...parts });
    process.stdout.write(`the credentials of ${name} are set\n`);
  });

const listDeliveries = (name: string, options: ListOptions): Promise<void> =>
  withServer(async (server) => {
    const { state = null, task, limit = String(LISTED), json } = options;
    if (state !== null && !STATES.includes(state))
      throw new Misuse(`the state must be one of ${STATES.join(', ')}`);
    if (!/^[1-9]\d{0,5}$/.test(limit)) throw new Misuse('the limit must be a whole number');
    const rows = await server.get(Database).query<Record<string, unknown>>({
      text: `SELECT d.id::text, d.kind, t.reference AS task, d.revision, d.status, d.attempts,
          CASE WHEN d.status = 'waiting' THEN d.next_attempt END AS "nextAttempt",
          ${json ? 'd.log' : `d.log->-1->>'date' AS "lastAttempt", (d.log->-1->>'status')::integer AS answer, d.log->-1->>'message' AS message`}
        FROM deliveries d LEFT JOIN tasks t ON t.id = d.task_id
        WHERE d.endpoint_id = $1 AND ($2::text IS NULL OR d.status = $2) AND ($3::bigint IS NULL OR d.task_id = $3)
        ORDER BY d.id DESC LIMIT $4`,
      values: [
        await endpointOf(server, name),
        state,
        task === undefined ? null : await idOf(server, 'tasks', task),
        limit,
      ],
    });
    print(rows, options);
  });

const replay = (name: string, ids: string[], { failed }: { failed?: boolean }): Promise<void> =>
  withServer(async (server) => {
    if ((ids.length === 0) === (failed !== true))
      throw new Misuse('name the deliveries, or give --failed, but not both');
    if (!ids.every(isId)) throw new Misuse('deliveries are named by their ids');
    const id = await endpointOf(server, name);
    const service = server.get(EndpointsService);
    const { count } = await service.replay(server.auditContext, id, failed ? null : ids);
    process.stdout.write(`${count}\n`);
  });

const endpointOf = (server: Server, name: string): Promise<string> =>
  idOf(server, 'endpoints', name);

/** @throws CommandError when there is none of this reference or id */
async function idOf(server: Server, table: 'endpoints' | 'tasks', name: string): Promise<string> {
  const [row] = await server.get(Database).query<{ id: string }>({
    text: `SELECT id::text FROM ${table} WHERE fold(reference COLLATE "C") = fold($1::text COLLATE "C")
      ${isId(name) ? 'OR id = $1::text::bigint' : ''} ORDER BY id LIMIT 1`,
    values: [name],
  });
  if (!row) throw new CommandError(`there is no ${table.slice(0, -1)} ${name}`);
  return row.id;
}
