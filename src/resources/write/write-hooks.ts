import type { Transaction } from '../../database/database.js';
import type { InvalidField } from '../../base/errors/api-errors.js';
import type { Caller } from '../../security/caller.js';
import type { Change, PendingWrite, Values } from './pending-write.js';

/** The steps that one resource adds to every write, in the order of the calls. All are optional. */
export interface WriteHooks {
  /** Whether callers without the permission may still create rows; `beforeWrite` then checks their owner. */
  mayCreate?(caller: Caller): boolean;
  /**
   * Whether the caller may write the attributes that are writable by the owner.
   * @param sees whether the caller sees the row without any role
   */
  isOwner?(
    caller: Caller,
    before: Values,
    sees: () => Promise<boolean>,
  ): Promise<boolean> | boolean;
  /** Whether the owner may also delete the row. */
  ownerMayDelete?: boolean;
  /**
   * Runs before the transaction, for work that would hold a connection or a lock too long.
   * @param writeOnly the body's values of the write-only attributes, unchecked
   * @returns `PendingWrite.prepared`
   */
  prepare?(change: Change, writeOnly: Values): Promise<unknown>;
  /** Whether only the owner may see a state of the row; the audit trail then omits that state. */
  isPrivate?(state: Values): boolean;
  /** Fills in defaults; the values are not checked yet. */
  complete?(write: Pick<PendingWrite, 'change' | 'values' | 'before' | 'prepared'>): Values;
  /**
   * Returns the faults that involve several attributes or other rows. Runs also when `faults` has entries.
   * May replace `values`; throws errors that no attribute causes.
   */
  beforeWrite?(write: PendingWrite): Promise<InvalidField[]> | InvalidField[];
  /**
   * Whether the write creates a credential or a right of others that outlives the session: the writer then requires a
   * recent proof of identity (docs/api-contract.md#recent-sign-in).
   * @param changed the names of the values that differ from the row; all that are given for a new one
   */
  asksForProof?(write: PendingWrite, changed: string[]): boolean;
  /** Stores dependent data in the same transaction. */
  afterWrite?(write: PendingWrite, id: string): Promise<void>;
  /** Returns a warning about the stored object, in ASCII (docs/api-contract.md#warnings). */
  warn?(write: PendingWrite, id: string): Promise<string[]>;
  /** Runs after the commit; the answer waits for it. */
  afterCommit?(): Promise<void>;
  /**
   * Throws when the row may not be deleted.
   * @param provider the id of the provider that deletes it; undefined for everybody else
   */
  checkDelete?(
    caller: Caller,
    before: Values,
    transaction: Transaction,
    provider?: string,
  ): Promise<void> | void;
  /** Returns a warning about what goes with a row that is about to be deleted, in ASCII. */
  warnOfDeletion?(before: Values, transaction: Transaction): Promise<string[]>;
  /** The error of each violated constraint, by the constraint's name. */
  constraints?: Record<string, () => Error>;
}
