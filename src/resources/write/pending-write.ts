import type { InvalidField } from '../../errors/api-errors.js';
import type { Transaction } from '../../database/database.js';
import type { AuditContext } from '../../security/audit.service.js';
import type { Caller } from '../../security/caller.js';
import type { Attribute } from '../attributes/attribute.js';
import type { Resource } from '../resource.js';

type Values = Record<string, unknown>;

/** A change on its way into a resource. */
export interface PendingWrite {
  caller: Caller;
  auditContext: AuditContext;
  transaction: Transaction;
  /** The id of the row that is changed; undefined while one is created. */
  id: string | undefined;
  /** The id of the object that a GET gave and the body of a POST copies; undefined for any other body. */
  copiedId?: string;
  /** The detailed representation before the change; undefined while one is created. */
  before: Values | undefined;
  /** Checked values by attribute; null is blank, a missing one stays as it is. */
  values: Values;
  /** What is wrong; anything here refuses the change. */
  bad: InvalidField[];
  /** What `WriteHooks.prepare` answered. */
  prepared: unknown;
}

/** Who wants to change a resource, before anything is read of the row. */
export interface Attempt {
  resource: Resource;
  rules: WriteHooks;
  caller: Caller;
}

/** What one resource adds to the common way of writing. All parts are optional. */
export interface WriteHooks {
  /** Attributes of bodies that no representation shows (password); `prepare` decides who may write them. */
  secret?: Record<string, Attribute>;
  /** Who may create and delete, and write every attribute; administrators when missing. */
  mayWrite?(caller: Caller): boolean;
  /** Whether the caller may write the attributes that are writable by the owner. */
  isOwner?(caller: Caller, before: Values): boolean;
  /**
   * Does before the transaction what takes too long for a connection or a lock.
   * @param secrets what the body gives for the secret attributes, unchecked
   * @returns what the draft carries as `prepared`
   */
  prepare?(caller: Caller, id: string | undefined, secrets: Values): Promise<unknown>;
  /** Fills defaults from the values alone. */
  complete?(draft: Pick<PendingWrite, 'values' | 'before' | 'prepared'>): void;
  /** Checks what one attribute alone cannot say; adds to `bad` or throws. */
  beforeWrite?(draft: PendingWrite): Promise<void> | void;
  /** What else is stored, in the same transaction. */
  afterWrite?(draft: PendingWrite & { id: string }): Promise<void>;
  /** What has to be waited for after the commit. */
  afterCommit?(): Promise<void>;
  /** Throws when the row may not be deleted. */
  checkDelete?(caller: Caller, before: Values): void;
  /** The answer to a violated constraint, by its name. */
  constraints?: Record<string, () => Error>;
}
