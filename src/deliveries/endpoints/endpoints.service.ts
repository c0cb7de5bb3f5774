import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database/database.js';
import {
  conflict,
  invalid,
  type InvalidField,
  invalidField,
  notFound,
} from '../../base/errors/api-errors.js';
import { uriOf } from '../../resources/uri.js';
import { type AuditContext, AuditService } from '../../security/audit.service.js';
import type { Viewer } from '../../security/caller.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { messageIdOf } from '../events/delivery.resource.js';
import { Destinations, faultOfUrl } from '../engines/destinations.js';
import { Dispatcher } from '../push/dispatcher.service.js';
import { EndpointSecret } from '../settings/endpoint-secret.entity.js';
import { EndpointSettingsService, ownerOf } from '../settings/endpoint-settings.service.js';
import { CREDENTIALS, lacksSecret } from '../settings/endpoint-state.js';
import type { Scheme } from '../engines/endpoint-choices.js';
import type { EndpointCredentialsDto } from './endpoint.dto.js';
import { endpoints } from './endpoint.resource.js';
import { TEST_KIND } from '../events/event-kinds.js';
import {
  faultsOfReplay,
  type Replayed,
  replayDeliveries,
  type ReplayOrder,
} from '../events/replay.js';
import { makeSecret, type SignatureKind } from '../settings/signatures.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/** Most valid secrets of an endpoint: each adds a signature to a header. */
const MAX_SECRETS = 3;

/** Secrets, tests and repetitions of endpoints. */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly settings: EndpointSettingsService,
    private readonly dispatcher: Dispatcher,
    private readonly parameters: ParametersService,
  ) {}

  /**
   * Makes a new secret. The former ones still sign for a while.
   * @returns the secret, which the server never shows again
   * @throws ApiError 404, 409 without SECRETS_KEY, for an endpoint of the mode pull, and with too many secrets
   */
  async addSecret(auditContext: AuditContext, id: string, overlap: number) {
    const { box } = this.settings;
    if (!box.isOpen) throw conflict(reason('no-secrets-key'));
    const made = await this.database.transaction(async (transaction) => {
      const { mode, adapter, signature } = await lock(transaction, id);
      if (adapter !== null) throw conflict(reason('secret-of-adapter'));
      if (mode !== 'push') throw conflict(reason('secret-of-pull'));
      const former = await this.endFormer(transaction, id, overlap);
      const { secret, shown } = makeSecret(signature);
      await transaction.of(EndpointSecret).insert({
        endpointId: id,
        signature,
        sealed: box.seal(secret, ownerOf(id)),
        publicKey: shown.startsWith('whpk_') ? shown : null,
      });
      await this.audit.record(transaction, auditContext, {
        action: 'update',
        objectUri: uriOf(endpoints.ref.uri, id),
        after: { secret: 'new', formerExpiration: former },
      });
      return { secret: shown, signature, formerExpiration: former };
    });
    await this.dispatcher.refresh();
    return made;
  }

  /**
   * Replaces the credentials with which an endpoint with an adapter signs in at its engine.
   * @throws ApiError 400 for a missing or foreign part of the scheme; 404; 409 without SECRETS_KEY or an adapter
   */
  async setCredentials(
    auditContext: AuditContext,
    id: string,
    { scheme, ...parts }: EndpointCredentialsDto,
  ): Promise<void> {
    const { box } = this.settings;
    const faults = [...faultsOfCredentials(scheme, parts), ...faultsOfHeader(scheme, parts)];
    const ofUrl = parts.tokenUrl === null ? undefined : await this.faultOfUrl(parts.tokenUrl);
    if (ofUrl !== undefined) faults.push({ name: 'tokenUrl', reason: ofUrl });
    if (faults.length > 0) throw invalid(faults);
    if (!box.isOpen) throw conflict(reason('no-secrets-key'));
    await this.database.transaction(async (transaction) => {
      const { adapter } = await lock(transaction, id);
      if (adapter === null) throw conflict(reason('credentials-without-adapter'));
      // Bonita's user is a field of a form.
      if (scheme === 'basic' && adapter !== 'bonita' && parts.user!.includes(':'))
        throw invalidField('user', reason('colon-in-user'));
      const secrets = transaction.of(EndpointSecret);
      const stored = { endpointId: id, signature: CREDENTIALS };
      await secrets.delete(stored);
      const text = JSON.stringify({ scheme, ...parts });
      if (scheme !== 'none')
        await secrets.insert({ ...stored, sealed: box.seal(Buffer.from(text), ownerOf(id)) });
      await this.audit.record(transaction, auditContext, {
        action: 'update',
        objectUri: uriOf(endpoints.ref.uri, id),
        after: { credentials: scheme, user: parts.user },
      });
    });
    await this.dispatcher.refresh();
  }

  private async faultOfUrl(url: string): Promise<Reason | undefined> {
    const destinations = (await this.parameters.current()).text('destinations');
    return faultOfUrl(url) ?? new Destinations(destinations).faultOf(new URL(url));
  }

  private async endFormer(
    transaction: Transaction,
    id: string,
    overlap: number,
  ): Promise<string | null> {
    const rows = await transaction.query<{ expiration: string }>({
      text: `UPDATE endpoint_secrets SET expiration = least(expiration, now() + make_interval(hours => $2))
        WHERE endpoint_id = $1 AND signature <> '${CREDENTIALS}' AND (expiration IS NULL OR expiration > now())
        RETURNING expiration`,
      values: [id, overlap],
    });
    const valid = overlap === 0 ? [] : rows;
    if (valid.length >= MAX_SECRETS)
      throw conflict(reason('too-many-secrets', { max: MAX_SECRETS }));
    return (
      rows
        .map(({ expiration }) => expiration)
        .sort()
        .at(-1) ?? null
    );
  }

  /**
   * Checks that this server can open the secret or credentials of an endpoint: the command line may have used another
   * key.
   * @throws ApiError 409
   */
  async requireOpenSecret(id: string): Promise<void> {
    if (!(await this.settings.opensSecret(this.database, id)))
      throw conflict(reason('secret-not-opened'));
  }

  /**
   * Sends a test event, which concerns no task.
   * @throws ApiError 404; 409 for an endpoint without the secret or credentials that it needs
   */
  async test(auditContext: AuditContext, id: string): Promise<{ id: string; messageId: string }> {
    const made = await this.database.transaction(async (transaction) => {
      const { adapter, isWithoutSecret } = await lock(transaction, id);
      if (isWithoutSecret)
        throw conflict(adapter === null ? reason('no-secret') : reason('no-credentials'));
      const [row] = await transaction.query<{ id: string; messageId: string }>({
        text: `INSERT INTO deliveries (endpoint_id, kind, data) VALUES ($1, '${TEST_KIND}', '{}')
          RETURNING id::text, message_id AS "messageId"`,
        values: [id],
      });
      const messageId = messageIdOf(row!.messageId);
      await this.audit.record(transaction, auditContext, {
        action: 'update',
        objectUri: uriOf(endpoints.ref.uri, id),
        after: { test: messageId },
      });
      return { id: row!.id, messageId };
    });
    await this.dispatcher.refresh();
    return made;
  }

  /**
   * Ends the waits after failed attempts: those of the deliveries, and that of the endpoint itself.
   * @throws ApiError 404
   */
  async retry(auditContext: AuditContext, id: string): Promise<{ count: number }> {
    const count = await this.database.transaction(async (transaction) => {
      await lock(transaction, id);
      await transaction.execute({
        text: 'UPDATE endpoint_health SET blocked_until = NULL WHERE endpoint_id = $1',
        values: [id],
      });
      const retried = await transaction.execute({
        text: `UPDATE deliveries SET next_attempt = now()
          WHERE endpoint_id = $1 AND status = 'waiting' AND attempts > 0 AND next_attempt > now()`,
        values: [id],
      });
      await this.audit.record(transaction, auditContext, {
        action: 'update',
        objectUri: uriOf(endpoints.ref.uri, id),
        after: { retried },
      });
      return retried;
    });
    await this.dispatcher.refresh();
    return { count };
  }

  /**
   * Sends delivered or failed deliveries again, under the same message ids.
   * @throws ApiError 400 for missing or contradictory conditions; 404
   */
  async replay(
    viewer: Viewer,
    auditContext: AuditContext,
    id: string,
    order: ReplayOrder,
  ): Promise<Replayed> {
    const faults = faultsOfReplay(order);
    if (faults.length > 0) throw invalid(faults);
    const done = await this.database.transaction(async (transaction) => {
      await lock(transaction, id);
      const replayed = await replayDeliveries(transaction, viewer, id, order);
      await this.audit.record(transaction, auditContext, {
        action: 'update',
        objectUri: uriOf(endpoints.ref.uri, id),
        after: { replayed: replayed.count },
      });
      return replayed;
    });
    await this.dispatcher.refresh();
    return done;
  }
}

/** The parts that each scheme needs. */
const PARTS: Record<Scheme, (keyof Omit<EndpointCredentialsDto, 'scheme'>)[]> = {
  none: [],
  basic: ['user', 'secret'],
  bearer: ['secret'],
  oauth: ['user', 'secret', 'tokenUrl'],
};

function faultsOfCredentials(
  scheme: Scheme,
  parts: Omit<EndpointCredentialsDto, 'scheme'>,
): InvalidField[] {
  const needed: string[] = PARTS[scheme];
  const isOptional = (name: string) => scheme === 'oauth' && ['scope', 'audience'].includes(name);
  return Object.entries(parts).flatMap(([name, value]) => {
    if (needed.includes(name))
      return value === null ? [{ name, reason: reason('required-by-scheme', { scheme }) }] : [];
    return value === null || isOptional(name)
      ? []
      : [{ name, reason: reason('excluded-by-scheme', { scheme }) }];
  });
}

/** A bearer token is sent in a header as it is (RFC 6750 section 2.1). */
const faultsOfHeader = (
  scheme: Scheme,
  { secret }: Pick<EndpointCredentialsDto, 'secret'>,
): InvalidField[] =>
  scheme === 'bearer' && secret !== null && !/^[\x21-\x7e]+$/.test(secret)
    ? [
        {
          name: 'secret',
          reason: reason('not-a-bearer-token'),
        },
      ]
    : [];

interface LockedEndpoint {
  mode: string;
  adapter: string | null;
  signature: SignatureKind;
  isWithoutSecret: boolean;
}

/** Locks an endpoint, so that no call deletes it meanwhile and calls about it run one after another. */
async function lock(transaction: Transaction, id: string): Promise<LockedEndpoint> {
  const [row] = await transaction.query<LockedEndpoint>({
    text: `SELECT mode, adapter, signature, ${lacksSecret('p')} AS "isWithoutSecret" FROM endpoints p WHERE id = $1
      FOR NO KEY UPDATE`,
    values: [id],
  });
  if (!row) throw notFound();
  return row;
}
