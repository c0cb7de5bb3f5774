import { Injectable } from '@nestjs/common';
import type { Reader } from '../database/database.js';
import type { Caller } from './caller.js';

/** Who did it, from where; what the audit trail knows of a request. */
export interface Origin {
  caller?: Pick<Caller, 'id' | 'login'>;
  address?: string;
  requestId?: string;
}

/** One line of the audit trail. `before` and `after` never hold secrets. */
export interface AuditEntry {
  /** e.g. `create`, `update`, `delete`, `sign-in` */
  action: string;
  objectUri?: string;
  before?: unknown;
  after?: unknown;
}

/** Writes the audit trail, in the transaction of what it tells of. */
@Injectable()
export class AuditService {
  async record(reader: Reader, origin: Origin, entry: AuditEntry): Promise<void> {
    const { caller, address, requestId } = origin;
    await reader.rows({
      text: `INSERT INTO audit (action, actor_uri, actor_login, object_uri, address, request_id, before, after)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [
        entry.action,
        caller ? `/directory/users/${caller.id}` : null,
        caller?.login ?? null,
        entry.objectUri ?? null,
        address ?? null,
        requestId ?? null,
        entry.before === undefined ? null : JSON.stringify(entry.before),
        entry.after === undefined ? null : JSON.stringify(entry.after),
      ],
    });
  }
}
