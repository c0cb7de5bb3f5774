import { randomInt } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { forbidden } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { Database } from '../database/database.js';
import type { Caller } from '../security/caller.js';
import { memberOf } from './patch.js';

/** The provider that calls. */
export interface Provider {
  id: string;
  dryRun: boolean;
}

/** A call and its answer, as the log keeps them. */
export interface LoggedCall {
  method: string;
  path: string;
  status: number;
  body: unknown;
  answer: unknown;
}

/** Calls of a provider that the log keeps, and after how many the older ones are deleted on average. */
const KEPT = 1_000;
const SWEPT_EVERY = 50;

/** Longest text of a body in the log, in characters, and the most items of one of its lists. */
const MAX_TEXT = 8_000;
const MAX_ITEMS = 100;

const SECRET = /password|secret|token|credential/i;

/** The providers that call this server, and the log of their calls. */
@Injectable()
export class ScimProviders {
  private readonly logger = new Logger(ScimProviders.name);

  constructor(private readonly database: Database) {}

  /**
   * The active provider whose service account calls.
   * @throws ApiError 403
   */
  async providerOf({ id }: Caller): Promise<Provider> {
    const [row] = await this.database.query<Provider>({
      text: `SELECT id::text, dry_run AS "dryRun" FROM providers WHERE service_account_id = $1 AND kind = 'scim' AND active`,
      values: [id],
    });
    if (!row) throw forbidden(reason('no-provider'));
    return row;
  }

  /** Logs a call without its secrets. A failure changes no answer: what the call wrote is committed. */
  async log(provider: Provider, call: LoggedCall): Promise<void> {
    try {
      await this.insert(provider, call);
    } catch (error) {
      this.logger.error(error);
    }
  }

  private async insert({ id, dryRun }: Provider, call: LoggedCall): Promise<void> {
    const { method, path, status } = call;
    await this.database.execute({
      text: `INSERT INTO provider_requests (provider_id, method, path, status, dry_run, body, answer)
        SELECT p.id, $2, $3, $4, $5, $6, $7 FROM providers p WHERE p.id = $1`,
      values: [
        id,
        method,
        (SECRET.test(path) ? path.replace(/\?.*/s, '?…') : path).slice(0, MAX_TEXT),
        status,
        dryRun,
        textOf(call.body),
        textOf(call.answer),
      ],
    });
    if (randomInt(SWEPT_EVERY) !== 0) return;
    await this.database.execute({
      text: `DELETE FROM provider_requests WHERE provider_id = $1 AND id <= (
        SELECT r.id FROM provider_requests r WHERE r.provider_id = $1 ORDER BY r.id DESC OFFSET ${KEPT} LIMIT 1)`,
      values: [id],
    });
  }
}

/** A body as text, without secrets; null for none. */
function textOf(body: unknown): string | null {
  if (body === undefined) return null;
  const text = JSON.stringify(body, function (this: object, name, value: unknown) {
    if (SECRET.test(name) || (name.toLowerCase() === 'value' && isOfSecret(this))) return '…';
    if (!Array.isArray(value) || value.length <= MAX_ITEMS) return value;
    return [...(value as unknown[]).slice(0, MAX_ITEMS), `… and ${value.length - MAX_ITEMS} more`];
  });
  return text.replaceAll('\\u0000', '').slice(0, MAX_TEXT);
}

/** Whether an object is an operation of a patch whose path names a secret. */
const isOfSecret = (operation: object): boolean => {
  const path = memberOf(operation, 'path');
  return typeof path === 'string' && SECRET.test(path);
};
