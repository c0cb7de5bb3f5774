import { tooLarge } from '../errors/api-errors.js';
import { badOperation, type PatchOperation } from './parse-patch.js';
import { reason } from '../errors/reason.js';

/**
 * Most nodes (objects, arrays, strings, numbers, …) that the operations of one patch may visit: the nodes
 * they add, copy or compare, and the nodes on the way to their locations. The limit stands for some
 * milliseconds of work. A patch document of at most 64 KiB holds fewer nodes: only copies reach the limit.
 * Shifting the rest of an array by one index is not counted: it takes a microsecond for 1,000 items.
 */
const MAX_VISITS = 50_000;

/** Most characters that the copies of one patch may add: every copy can double the document. */
const MAX_COPIED = 256 * 1024;

/** Limits the work of one patch. Each operation is charged before it is applied. */
export class PatchBudget {
  private visits = 0;
  private copied = 0;

  /**
   * Charges for the nodes on the way to the locations of an operation.
   * @throws ApiError 400 when the patch visits too many nodes
   */
  payLocations(operation: PatchOperation): void {
    const { tokens, fromTokens = [] } = operation;
    this.visit(operation, tokens.length + fromTokens.length);
  }

  /**
   * Charges for each node of a value that the operation adds, compares or copies.
   * @throws ApiError 400 when the patch visits too many nodes, 413 when it copies too many characters
   */
  payValue(operation: PatchOperation, value: unknown): void {
    const pending = [value];
    while (pending.length > 0) {
      this.visit(operation, 1);
      const node = pending.pop();
      if (operation.op === 'copy') this.copy(node);
      if (typeof node === 'object' && node !== null)
        for (const child of Object.values(node)) pending.push(child);
    }
  }

  private visit(operation: PatchOperation, nodes: number): void {
    this.visits += nodes;
    if (this.visits > MAX_VISITS)
      throw badOperation(operation, reason('patch-too-large', { max: MAX_VISITS }));
  }

  private copy(node: unknown): void {
    this.copied += charactersOf(node);
    if (this.copied > MAX_COPIED) throw tooLarge(`${MAX_COPIED / 1024} KiB of copies in a patch`);
  }
}

/** The approximate length of a node in JSON, without its children. */
function charactersOf(node: unknown): number {
  if (typeof node !== 'object' || node === null) return String(node).length + 1;
  if (Array.isArray(node)) return 3;
  return Object.keys(node).reduce((sum, name) => sum + name.length + 3, 3);
}
