import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { conflict, notFound } from '../errors/api-errors.js';
import { uriOf } from '../resources/uri.js';
import { type AuditContext, AuditService } from '../security/audit.service.js';
import { messageIdOf } from './delivery.resource.js';
import { Dispatcher } from './dispatcher.service.js';
import { EndpointSettingsService, ownerOf } from './endpoint-settings.service.js';
import { endpoints } from './endpoint.resource.js';
import { TEST_KIND } from './event-kinds.js';
import { makeSecret, type SignatureKind } from './signatures.js';

/** Hours for which former secrets go on to sign, unless the call says otherwise. */
const OVERLAP = 24;

/** Valid secrets of an endpoint: each is a signature in a header. */
const MAX_SECRETS = 3;

/** Secrets, tests and repetitions of endpoints. */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly settings: EndpointSettingsService,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** @throws ApiError 404 unless there is such an endpoint */
  async require(id: string): Promise<void> {
    const rows = await this.database.rows({
      text: 'SELECT 1 FROM endpoints WHERE id = $1',
      values: [id],
    });
    if (rows.length === 0) throw notFound();
  }

  /**
   * Makes a new secret; the former ones sign too for a while.
   * @returns the secret, which nothing shows again
   * @throws ApiError 404, 409 without SECRETS_KEY, for an endpoint of the mode pull, and with too many secrets
   */
  async addSecret(auditContext: AuditContext, id: string, overlap: number | null) {
    const { box } = this.settings;
    if (!box.isOpen)
      throw conflict('This server has no SECRETS_KEY, with which it would encrypt the secret');
    const made = await this.database.transaction(async (transaction) => {
      const { mode, signature } = await lock(transaction, id);
      if (mode !== 'push') throw conflict('Only an endpoint of the mode push has secrets');
      const former = await this.endFormer(transaction, id, overlap ?? OVERLAP);
      const { secret, shown } = makeSecret(signature);
      await transaction.execute({
        text: 'INSERT INTO endpoint_secrets (endpoint_id, signature, sealed, public_key) VALUES ($1, $2, $3, $4)',
        values: [
          id,
          signature,
          box.seal(secret, ownerOf(id)),
          shown.startsWith('whpk_') ? shown : null,
        ],
      });
      await this.audit.record(transaction, auditContext, {
        action: 'update',
        objectUri: uriOf(endpoints.ref.uri, id),
        after: { secret: 'new', formerExpire: former },
      });
      return { secret: shown, signature, formerExpire: former };
    });
    await this.dispatcher.refresh();
    return made;
  }

  private async endFormer(
    transaction: Transaction,
    id: string,
    overlap: number,
  ): Promise<string | null> {
    const rows = await transaction.query<{ expiration: string }>({
      text: `UPDATE endpoint_secrets SET expiration = least(expiration, now() + make_interval(hours => $2))
        WHERE endpoint_id = $1 AND (expiration IS NULL OR expiration > now()) RETURNING expiration`,
      values: [id, overlap],
    });
    const valid = overlap === 0 ? [] : rows;
    if (valid.length >= MAX_SECRETS)
      throw conflict(`An endpoint can have at most ${MAX_SECRETS} valid secrets`);
    return (
      rows
        .map(({ expiration }) => expiration)
        .sort()
        .at(-1) ?? null
    );
  }

  /**
   * Sends an event that is about no task.
   * @throws ApiError 404
   */
  async test(auditContext: AuditContext, id: string): Promise<{ id: string; messageId: string }> {
    const made = await this.database.transaction(async (transaction) => {
      await lock(transaction, id);
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
   * Sends deliveries again that were delivered or have failed, under the same message id.
   * @param ids those; null stands for all that have failed
   * @throws ApiError 404
   */
  async replay(
    auditContext: AuditContext,
    id: string,
    ids: string[] | null,
  ): Promise<{ count: number }> {
    const count = await this.database.transaction(async (transaction) => {
      await lock(transaction, id);
      const replayed = await transaction.execute({
        text: `UPDATE deliveries SET status = 'waiting', attempts = 0, retries = 10, next_attempt = now(),
            completion_date = NULL, worker = NULL
          WHERE endpoint_id = $1 AND status IN ('delivered', 'failed')
            AND CASE WHEN $2::bigint[] IS NULL THEN status = 'failed' ELSE id = ANY ($2) END`,
        values: [id, ids],
      });
      await this.audit.record(transaction, auditContext, {
        action: 'update',
        objectUri: uriOf(endpoints.ref.uri, id),
        after: { replayed },
      });
      return replayed;
    });
    await this.dispatcher.refresh();
    return { count };
  }
}

/** Locks an endpoint, so that it is not deleted meanwhile, and calls about it follow each other. */
async function lock(
  transaction: Transaction,
  id: string,
): Promise<{ mode: string; signature: SignatureKind }> {
  const [row] = await transaction.query<{ mode: string; signature: SignatureKind }>({
    text: 'SELECT mode, signature FROM endpoints WHERE id = $1 FOR NO KEY UPDATE',
    values: [id],
  });
  if (!row) throw notFound();
  return row;
}
