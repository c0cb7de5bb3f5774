import type { Transaction } from '../database/database.js';
import type { Resource } from '../resources/resource.js';

/** Makes an object of a provider, or all of them, editable here again. */
export async function release(
  transaction: Transaction,
  { ref }: Resource,
  of: { id: string } | { provider: string },
): Promise<void> {
  const [column, value] = 'id' in of ? ['id', of.id] : ['managed_by_id', of.provider];
  await transaction.execute({
    text: `UPDATE ${ref.table} SET managed_by_id = NULL, revision = revision + 1, modification_date = now()
      WHERE ${column} = $1 AND managed_by_id IS NOT NULL`,
    values: [value],
  });
}
