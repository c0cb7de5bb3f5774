import { invalidField } from '../../errors/api-errors.js';
import type { Bind } from '../../database/bindings.js';
import type { ListSource, Statement } from './list-query.js';
import type { ListRequest } from './list-request.js';
import { readList } from './choose-plan.js';
import type { Resource } from '../resource.js';

/** Most bytes of values in one answer of a list: more would fill the memory of a process that answers several. */
const MAX_LIST_MIB = 4;
const MAX_LIST_BYTES = MAX_LIST_MIB * 2 ** 20;

/**
 * Measures a page in the database before its rows are fetched. A page that cannot be too large, by the
 * greatest lengths of its attributes, is not measured.
 * @param read runs a statement and answers its rows
 * @throws ApiError 400 when the page holds more than `MAX_LIST_MIB`
 */
export async function requireBoundedPage(
  resource: Resource,
  read: (statement: Statement) => Promise<unknown[][]>,
  sourceFor: (bind: Bind) => ListSource,
  request: ListRequest,
): Promise<void> {
  const { count } = request.range;
  if (count * resource.maxRowBytes <= MAX_LIST_BYTES) return;
  const sizesFor = (bind: Bind): ListSource => {
    const source = sourceFor(bind);
    return { ...source, columns: [sizeOf(source.columns)] };
  };
  const { shown } = await readList(read, sizesFor, { ...request, exactCount: false });
  const fitting = countFitting(shown.slice(0, count).map(([size]) => Number(size)));
  if (fitting < Math.min(count, shown.length))
    throw invalidField(
      'range',
      `the items hold more than ${MAX_LIST_MIB} MiB; ask for fewer, the first ${fitting} fit`,
    );
}

/** SQL of the bytes in a row. PostgreSQL knows the length of a long text without reading it. */
const sizeOf = (columns: string[]): string =>
  columns.map((column) => `coalesce(octet_length((${column})::text), 0)`).join(' + ');

/** How many of the first items an answer can hold. */
function countFitting(sizes: number[]): number {
  let bytes = 0;
  const end = sizes.findIndex((size) => (bytes += size) > MAX_LIST_BYTES);
  return end < 0 ? sizes.length : end;
}
