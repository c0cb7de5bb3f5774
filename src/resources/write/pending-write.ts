import type { InvalidField } from '../../base/errors/api-errors.js';
import type { Transaction } from '../../database/database.js';
import type { AuditContext } from '../../security/audit.service.js';
import type { Caller } from '../../security/caller.js';
import type { Resource } from '../resource.js';
import type { Conditions } from './preconditions.js';

/** Values by attribute name; null is blank. */
export type Values = Record<string, unknown>;

/** A write before the row is read: the caller, the resource and the row. */
export interface Attempt {
  resource: Resource;
  caller: Caller;
  /** The row to change or delete; undefined to create one. */
  id?: string | undefined;
}

/** A requested write, with its context and conditions. */
export interface Change extends Attempt, Conditions {
  auditContext: AuditContext;
  /** The id of the provider that writes, and from then on manages the row; undefined for everybody else. */
  provider?: string | undefined;
  /** The header Idempotency-Key of a creation. */
  idempotencyKey?: string | undefined;
}

/** A change or deletion of an existing row. */
export type RowChange = Change & { id: string };

/** A parsed body. */
export interface ParsedBody {
  /** Attributes without a value here stay as they are. */
  values: Values;
  /** The invalid attributes; any entry causes a 400. */
  faults: InvalidField[];
  /** The id of the object whose representation the body of a POST copies. */
  copiedId?: string | undefined;
}

/** A change inside its transaction, before it is stored. */
export interface PendingWrite extends ParsedBody {
  change: Change;
  transaction: Transaction;
  /** The detailed representation before the change; undefined on creation. */
  before: Values | undefined;
  /** The result of `WriteHooks.prepare`. */
  prepared: unknown;
}

/** The values without those that are invalid already, for the checks of a resource's hooks. */
export function validValues({ values, faults }: PendingWrite): Values {
  const invalid = new Set(faults.map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !invalid.has(name)));
}
