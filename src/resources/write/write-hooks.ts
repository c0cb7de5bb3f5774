import type { InvalidField } from '../../errors/api-errors.js';
import type { Caller } from '../../security/caller.js';
import type { Change, PendingWrite, Values } from './pending-write.js';

/** What one resource adds to the common way of writing, in the order of the calls. All parts are optional. */
export interface WriteHooks {
  /** Who may create and delete, and write every attribute; administrators when missing. */
  mayWrite?(caller: Caller): boolean;
  /** Whether the caller may write the attributes that are writable by the owner. */
  isOwner?(caller: Caller, before: Values): boolean;
  /**
   * Does before the transaction what takes too long for a connection or a lock.
   * @param writeOnly what the body gives for the write-only attributes, unchecked
   * @returns `PendingWrite.prepared`
   */
  prepare?(change: Change, writeOnly: Values): Promise<unknown>;
  /** Answers the values with their defaults filled in; they are not checked yet. */
  complete?(write: Pick<PendingWrite, 'values' | 'before' | 'prepared'>): Values;
  /**
   * Answers what is wrong and one attribute alone cannot say. Runs also when `faults` has entries; may
   * replace `values`, and throws what is no fault of an attribute.
   */
  beforeWrite?(write: PendingWrite): Promise<InvalidField[]> | InvalidField[];
  /** Stores what else belongs to the row, in the same transaction. */
  afterWrite?(write: PendingWrite, id: string): Promise<void>;
  /** Waits for what has to follow the commit before the answer. */
  afterCommit?(): Promise<void>;
  /** Throws when the row may not be deleted. */
  checkDelete?(caller: Caller, before: Values): void;
  /** The error for a violated constraint, by its name. */
  constraints?: Record<string, () => Error>;
}
