import { tooLarge } from '../errors/api-errors.js';
import { badOperation, type PatchOperation } from './operation.js';

/**
 * Most nodes (objects, arrays, texts, numbers, …) that the operations of one patch may visit: those
 * they add, copy or compare, and those on the way to their locations. It stands for some milliseconds
 * of work. The text of a patch, at most 64 KiB, has fewer nodes: only copies reach the limit. Moving
 * the rest of an array by one place is not counted, it takes a microsecond for 1,000 items.
 */
const MAX_VISITS = 50_000;

/** Most characters that the copies of one patch may add; every copy can double a document. */
const MAX_COPIED = 256 * 1024;

/** What one patch may cost. Each operation pays before it is applied. */
export class PatchBudget {
  private visits = 0;
  private copied = 0;

  /**
   * Pays for the nodes on the way to the locations of an operation.
   * @throws ApiError 400 when the patch visits too many nodes
   */
  payLocations(operation: PatchOperation): void {
    const { tokens, fromTokens = [] } = operation;
    this.visit(operation, tokens.length + fromTokens.length);
  }

  /**
   * Pays for each node of a value that the operation adds, compares or copies.
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
      throw badOperation(
        operation,
        `the patch is too much work: its operations may visit at most ${MAX_VISITS} values`,
      );
  }

  private copy(node: unknown): void {
    this.copied += charactersOf(node);
    if (this.copied > MAX_COPIED) throw tooLarge(`${MAX_COPIED / 1024} KiB of copies in a patch`);
  }
}

/** About the characters of a node in JSON, without those of its children. */
function charactersOf(node: unknown): number {
  if (typeof node !== 'object' || node === null) return String(node).length + 1;
  if (Array.isArray(node)) return 3;
  return Object.keys(node).reduce((sum, name) => sum + name.length + 3, 3);
}
