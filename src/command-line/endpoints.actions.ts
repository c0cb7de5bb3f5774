import { text } from 'node:stream/consumers';
import { Database } from '../database/database.js';
import { SCHEMES } from '../deliveries/engines/endpoint-choices.js';
import { MAX_OVERLAP, OVERLAP } from '../deliveries/endpoints/endpoint.dto.js';
import { endpoints } from '../deliveries/endpoints/endpoint.resource.js';
import { EndpointRules } from '../deliveries/endpoints/endpoint-rules.service.js';
import { EndpointSettingsService } from '../deliveries/settings/endpoint-settings.service.js';
import { EndpointsService } from '../deliveries/endpoints/endpoints.service.js';
import { parsePatch } from '../base/json-patch/parse-patch.js';
import { ResourceWriter } from '../resources/write/resource-writer.js';
import { ADMINISTRATOR } from './administrator.js';
import { idOf } from './id-of.js';
import { CommandError, Misuse, print, type PrintOptions } from './output.js';
import { PROCESS_MODULES } from './process-modules.js';
import { type Server, withServer } from './with-server.js';

/** The options for a new endpoint, besides its label. */
interface CreateOptions extends PrintOptions {
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

interface CredentialsOptions extends PrintOptions {
  user?: string;
  tokenUrl?: string;
  scope?: string;
  audience?: string;
}

export const create = (label: string, options: CreateOptions): Promise<void> =>
  withServer(PROCESS_MODULES, async (server) => {
    const { url, thin, ed25519, json, ...others } = options;
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
    const reference = String(representation.reference);
    print([{ reference }], { json }, reference);
  });

export const addSecret = (
  name: string,
  { overlap, ...options }: PrintOptions & { overlap?: string },
): Promise<void> =>
  withServer(PROCESS_MODULES, async (server) => {
    if (overlap !== undefined && !(/^\d{1,3}$/.test(overlap) && Number(overlap) <= MAX_OVERLAP))
      throw new Misuse(`the overlap must be a whole number of hours from 0 to ${MAX_OVERLAP}`);
    const id = await idOf(server.get(Database), endpoints, name);
    const hours = overlap === undefined ? OVERLAP : Number(overlap);
    const { secret } = await server.get(EndpointsService).addSecret(server.auditContext, id, hours);
    print([{ endpoint: name, secret }], options, secret);
  });

const setStatus =
  (status: 'active' | 'paused') =>
  (name: string, options: PrintOptions): Promise<void> =>
    withServer(PROCESS_MODULES, async (server) => {
      const change = { ...changeOf(server), id: await idOf(server.get(Database), endpoints, name) };
      const operation = { op: 'replace' as const, path: '/status', value: status };
      await server
        .get(ResourceWriter)
        .patch(change, server.get(EndpointRules), parsePatch([operation]));
      print([{ endpoint: name, status }], options, `${name} is ${status}`);
    });

export const pause = setStatus('paused');

export const resume = setStatus('active');

const changeOf = ({ auditContext }: Server) => ({
  resource: endpoints,
  caller: ADMINISTRATOR,
  auditContext,
});

export const test = (name: string, options: PrintOptions): Promise<void> =>
  withServer(PROCESS_MODULES, async (server) => {
    const id = await idOf(server.get(Database), endpoints, name);
    const settings = server.get(EndpointSettingsService);
    // Without a key, the command cannot know which secrets the server opens. With another key than the server's, one of
    // the two is wrong.
    if (settings.box.isOpen && !(await settings.opensSecret(server.get(Database), id)))
      throw new CommandError(
        `SECRETS_KEY does not open the secret of ${name}: give this command the key of the server, or renew the secret`,
      );
    const { messageId } = await server.get(EndpointsService).test(server.auditContext, id);
    print([{ endpoint: name, messageId }], options, messageId);
  });

export const setCredentials = (
  name: string,
  scheme: string,
  { user, tokenUrl, scope, audience, ...options }: CredentialsOptions,
): Promise<void> =>
  withServer(PROCESS_MODULES, async (server) => {
    const known = SCHEMES.find((one) => one === scheme);
    if (!known) throw new Misuse(`the scheme must be one of ${SCHEMES.join(', ')}`);
    const id = await idOf(server.get(Database), endpoints, name);
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
    print([{ endpoint: name, scheme }], options, `the credentials of ${name} are set`);
  });
