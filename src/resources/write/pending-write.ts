import type { InvalidField } from '../../errors/api-errors.js';
import type { Transaction } from '../../database/database.js';
import type { AuditContext } from '../../security/audit.service.js';
import type { Caller } from '../../security/caller.js';
import type { Resource } from '../resource.js';

/** Values by attribute; null is blank. */
export type Values = Record<string, unknown>;

/** Who wants to write what, before anything of the row is read. */
export interface Attempt {
  resource: Resource;
  caller: Caller;
  /** The row to change or delete; undefined to create one. */
  id?: string | undefined;
}

/** A write as it was asked for. */
export interface Change extends Attempt {
  auditContext: AuditContext;
  /** The header If-Match (RFC 9110 section 13.1.1). */
  ifMatch?: string | undefined;
}

/** A change of a row that exists. */
export type RowChange = Change & { id: string };

/** What a body says, parsed. */
export interface ParsedBody {
  /** A missing attribute stays as it is. */
  values: Values;
  /** What is wrong; anything here ends in 400. */
  faults: InvalidField[];
  /** The id of the object whose representation, as a GET gave it, the body of a POST copies. */
  copiedId?: string | undefined;
}

/** A change inside its transaction, on its way into the row. */
export interface PendingWrite extends ParsedBody {
  change: Change;
  transaction: Transaction;
  /** The detailed representation before the change; undefined while a row is created. */
  before: Values | undefined;
  /** What `WriteHooks.prepare` answered. */
  prepared: unknown;
}
