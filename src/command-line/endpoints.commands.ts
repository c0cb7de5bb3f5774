import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { Database } from '../database/database.js';
import { MAX_OVERLAP, OVERLAP, SCHEMES } from '../deliveries/endpoint.dto.js';
import { endpoints } from '../deliveries/endpoint.resource.js';
import { endpointState } from '../deliveries/endpoint-state.js';
import { EndpointRules } from '../deliveries/endpoint-rules.service.js';
import { EndpointSettingsService } from '../deliveries/endpoint-settings.service.js';
import { EndpointsService } from '../deliveries/endpoints.service.js';
import { ADAPTERS, DECISION_VALUES } from '../deliveries/engines.js';
import { EVENT_KINDS } from '../deliveries/event-kinds.js';
import { parsePatch } from '../json-patch/parse-patch.js';
import { ResourceWriter } from '../resources/write/resource-writer.js';
import { action } from './action.js';
import { ADMINISTRATOR } from './administrator.js';
import { idOf } from './id-of.js';
import { CommandError, Misuse, print, type PrintOptions } from './output.js';
import { type Server, withServer } from './with-server.js';

/** What an endpoint can be created with, beside its label. */
interface CreateOptions {
  url?: string;
  reference?: string;
  adapter?: string;
  source?: string;
  account?: string;
  applications?: string[];
  kinds?: string[];
  variables?: string[];
  thin?: boolean;
  ed25519?: boolean;
  confirms?: boolean;
}

interface CredentialsOptions {
  user?: string;
  tokenUrl?: string;
  scope?: string;
  audience?: string;
}

/** `sources list`, `endpoints list|create|secret|credentials|test|pause|resume` */
export function addEndpointCommands(program: Command): void {
  program
    .command('sources')
    .description('programs that put tasks in')
    .command('list')
    .description('list the sources with their accounts and open tasks')
    .option('--json', 'print JSON')
    .action(action((options: PrintOptions) => listSources(options)));
  const command = program.command('endpoints').description('places that hear what happens');
  command
    .command('list')
    .description('list the endpoints with what waits, what has failed, and why')
    .option('--json', 'print JSON')
    .action(action((options: PrintOptions) => listEndpoints(options)));
  addCreateCommand(command);
  command
    .command('secret')
    .argument('<endpoint>', 'its reference or id')
    .option('--overlap <hours>', 'for how long the former secrets go on to sign, by default 24')
    .description('make a new secret; prints it, and nothing shows it again')
    .action(action(addSecret));
  command
    .command('test')
    .argument('<endpoint>', 'its reference or id')
    .description('send an event that is about no task; a running server sends it within a second')
    .action(action(test));
  command
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
  for (const [name, status, description] of [
    ['pause', 'paused', 'keep events until the endpoint is resumed; nothing is dropped'],
    ['resume', 'active', 'send what waits, in its order; a running server begins within a second'],
  ] as const)
    command
      .command(name)
      .argument('<endpoint>', 'its reference or id')
      .description(description)
      .action(action((endpoint: string) => setStatus(endpoint, status)));
}

function addCreateCommand(command: Command): void {
  command
    .command('create')
    .argument('<label>', 'its name')
    .option('--url <url>', 'push events to this address; without it, workers fetch them')
    .option('--reference <reference>', 'its name in paths and on the command line')
    .option(
      '--adapter <engine>',
      `the engine in whose own form decisions are sent: ${ADAPTERS.join(', ')}`,
    )
    .option('--source <source>', 'only tasks of this source')
    .option('--applications <references...>', 'only tasks of these applications')
    .option('--kinds <kinds...>', `only events of these kinds: ${EVENT_KINDS.join(', ')}`)
    .option(
      '--variables <variables...>',
      `the variables that an adapter sends: ${DECISION_VALUES.join(', ')}, or name=outcome for another name`,
    )
    .option('--account <login>', 'the only process engine that may fetch')
    .option('--confirms', 'the answers to decisions confirm or refuse them')
    .option('--thin', 'events hold only what is needed to read the task')
    .option('--ed25519', 'sign by Ed25519 instead of HMAC-SHA256')
    .description('create an endpoint; prints its reference')
    .action(action(create));
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
          ${endpointState('p')} AS state,
          (SELECT count(*)::integer FROM deliveries d WHERE d.endpoint_id = p.id AND d.status IN ('waiting', 'leased')) AS waiting,
          (SELECT count(*)::integer FROM deliveries d WHERE d.endpoint_id = p.id AND d.status = 'failed') AS failed,
          h.last_success AS "lastSuccessDate", h.last_failure AS "lastFailureDate", p.url
        FROM endpoints p LEFT JOIN endpoint_health h ON h.endpoint_id = p.id ORDER BY p.reference`,
      values: [],
    });
    print(rows, options);
  });

const create = (label: string, options: CreateOptions): Promise<void> =>
  withServer(async (server) => {
    const { url, thin, ed25519, ...others } = options;
    const { representation } = await server
      .get(ResourceWriter)
      .create(changeOf(server), server.get(EndpointRules), {
        label,
        ...others,
        mode: url === undefined ? 'pull' : 'push',
        url: url ?? null,
        content: thin ? 'thin' : 'full',
        signature: ed25519 ? 'ed25519' : 'hmac',
      });
    process.stdout.write(`${String(representation.reference)}\n`);
  });

const addSecret = (name: string, { overlap }: { overlap?: string }): Promise<void> =>
  withServer(async (server) => {
    if (overlap !== undefined && !(/^\d{1,3}$/.test(overlap) && Number(overlap) <= MAX_OVERLAP))
      throw new Misuse(`the overlap must be a whole number of hours from 0 to ${MAX_OVERLAP}`);
    const id = await idOf(server, endpoints, name);
    const hours = overlap === undefined ? OVERLAP : Number(overlap);
    const { secret } = await server.get(EndpointsService).addSecret(server.auditContext, id, hours);
    process.stdout.write(`${secret}\n`);
  });

const setStatus = (name: string, status: 'active' | 'paused'): Promise<void> =>
  withServer(async (server) => {
    const change = { ...changeOf(server), id: await idOf(server, endpoints, name) };
    const operation = { op: 'replace' as const, path: '/status', value: status };
    await server
      .get(ResourceWriter)
      .patch(change, server.get(EndpointRules), parsePatch([operation]));
  });

const changeOf = ({ auditContext }: Server) => ({
  resource: endpoints,
  caller: ADMINISTRATOR,
  auditContext,
});

const test = (name: string): Promise<void> =>
  withServer(async (server) => {
    const id = await idOf(server, endpoints, name);
    const settings = server.get(EndpointSettingsService);
    // Without a key the command cannot know what the server opens. With another one, either that or the server's is wrong.
    if (settings.box.isOpen && !(await settings.opensSecret(server.get(Database), id)))
      throw new CommandError(
        `SECRETS_KEY does not open the secret of ${name}: give this command the key of the server, or renew the secret`,
      );
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
    const id = await idOf(server, endpoints, name);
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
