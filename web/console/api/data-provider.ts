import { type DataProvider, HttpError } from 'react-admin';
import { ApiProblem, getPage, query, send } from '../../api-client/api.js';
import { getCountedPage } from '../../api-client/counted-page.js';
import type { Ref } from '../../api-client/types.js';
import { asFormError } from '../components/problems.js';
import { descriptionOf } from './description.js';
import { resourceOf } from '../resources.js';

/** A record of the API, and its ETag at the time of the read. */
export interface Item {
  id: string;
  [attribute: string]: unknown;
}

/** List items have none; a form must read a record by itself before it changes it. */
export const ETAG = '_etag';

/** The header X-Warning of the answer to a write (docs/api-contract.md#warnings). */
export const WARNING = '_warning';

/** Makes the application's record new after a write that changed only its view, so that the form resets. */
const STORED_AT = '_storedAt';

type Id = string | number;

/** Values of one filter (docs/api-contract.md#limits): the number of ids that one list request of `getMany` names. */
const MAX_VALUES = 100;
/** Most items of one list request (docs/api-contract.md#range). */
export const MAX_RANGE = 500;

/** The key in a list's filters that selects AND or OR. */
export const MODE = '_mode';

export type Filters = Record<string, string>;

interface ListParameters {
  pagination?: { page: number; perPage: number };
  sort?: { field: string; order: string };
  filter?: Filters;
  signal?: AbortSignal;
}

/** `{ 'login@contains': 'bob' }` as parameters of a list; an array is a filter for each of its values. */
export function filterParameters(
  filters: Record<string, string | string[]>,
): Record<string, string | string[] | undefined> {
  const conditions = Object.entries(filters).filter(([name]) => name !== MODE);
  return {
    filters: conditions.flatMap(([key, value]) => {
      const [name, operator] = key.split('@') as [string, string];
      return /^is(not)?empty$/.test(operator)
        ? `${name}:${operator}`
        : [value].flat().map((one) => `${name}:${operator}:${one}`);
    }),
    filterMode: conditions.length > 1 ? filters[MODE] : undefined,
  };
}

/** An API error in react-admin's form: at the fields that it names, or above the page. */
export function toHttpError(error: unknown): never {
  if (!(error instanceof ApiProblem)) throw error;
  const { status, message, fields, errors } = error;
  const named = Object.fromEntries(
    [...Map.groupBy(fields, ({ name }) => fieldIn(name))].map(([name, reasons]) => [
      name,
      asFormError(reasons),
    ]),
  );
  const password = errors.length > 0 ? { password: errors.join(',') } : {};
  const all = { ...named, ...password };
  const body = Object.keys(all).length > 0 ? { errors: all } : {};
  throw new HttpError(message, status, { ...body, problem: error });
}

/**
 * PATCH names operations by number and path (`/0/path`) only when a path itself is wrong. The form of an
 * application holds the attributes of its view in `tileView`, and the view itself in `view`.
 */
function fieldIn(name: string): string {
  if (name === 'view.id') return 'view';
  return /^\/(\w+)/.exec(name)?.[1] ?? name.replace(/^view\./, 'tileView.');
}

/** The value of a body for a value of a form: links by their URI. */
function toBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toBody);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null && 'uri' in value) return (value as Ref).uri;
  return value ?? null;
}

/** Attributes that are written and never read; the description does not name them. */
const SECRETS = new Set(['password', 'bindPassword']);

const isWritable = (resource: string, name: string): boolean =>
  SECRETS.has(name) || descriptionOf(resource).attribute(name)?.writable === true;

/** The writable attributes of a form's data, as a body. */
const bodyOf = (resource: string, data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([name]) => isWritable(resource, name))
      .map(([name, value]) => [name, toBody(value)]),
  );

/** A JSON Patch of the differences, so that it does not overwrite other people's changes. */
export function patchOf(
  resource: string,
  before: Record<string, unknown>,
  data: Record<string, unknown>,
): object[] {
  const [old, now] = [bodyOf(resource, before), bodyOf(resource, data)];
  return Object.entries(now)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name] ?? null))
    .map(([name, value]) => replacing(name, value));
}

const replacing = (name: string, value: unknown): object => ({
  // Representations never contain a secret or blank translations, so `replace` could fail.
  op: SECRETS.has(name) || name === 'translations' ? 'add' : 'replace',
  path: `/${name}`,
  value,
});

const pathOf = (resource: string, id?: Id): string =>
  id === undefined
    ? resourceOf(resource).path
    : `${resourceOf(resource).path}/${encodeURIComponent(id)}`;

/** A call whose answer is a record. */
async function item(path: string, options: Parameters<typeof send>[1]): Promise<Item> {
  const answer = await send(path, options).catch(toHttpError);
  const [etag, warning] = [answer.headers.get('ETag'), answer.headers.get('X-Warning')];
  return { ...((await answer.json()) as Item), [ETAG]: etag, [WARNING]: warning };
}

async function list(resource: string, parameters: ListParameters) {
  const { pagination, sort, filter = {}, signal } = parameters;
  const { page, perPage } = pagination ?? { page: 1, perPage: 50 };
  const search = query({
    range: `${(page - 1) * perPage}-${perPage}`,
    sorter: sort ? `${sort.order === 'DESC' ? '-' : ''}${sort.field}` : undefined,
    ...filterParameters(filter),
  });
  const path = `${pathOf(resource)}${search}`;
  const { items, total, hasNext } = await getCountedPage<Item>(path, signal).catch(toHttpError);
  // Without a total, react-admin shows "more than …" and the next page.
  return total === undefined
    ? { data: items, pageInfo: { hasNextPage: hasNext, hasPreviousPage: page > 1 } }
    : { data: items, total };
}

/** The extra value in the form of an application: the view that is written with it. */
export const NO_TILE_VIEW = { hasView: false, tileView: null };

/**
 * An application and the view that its tile opens, as one body (docs/api-contract.md#tiles-with-a-view); undefined if
 * the form writes only the application.
 */
function tileOf({ hasView, tileView, ...data }: Record<string, unknown>) {
  if (hasView !== true || data.type !== 'PROCESS') return undefined;
  const { view: _view, ...application } = bodyOf('applications', data);
  const { id, [ETAG]: viewETag, ...attributes } = tileView as Partial<Item>;
  const { application: _application, ...view } = bodyOf('views', attributes);
  return id === undefined
    ? { application, view }
    : { application, view: { id, ...view }, viewETag: viewETag ?? null };
}

const TILES = '/api/v2/process/tiles';

const writeHeaders = (etag: unknown): Record<string, string> =>
  typeof etag === 'string' ? { 'If-Match': etag } : {};

/** react-admin's view of the public API (docs/api-contract.md). */
export const dataProvider = {
  supportAbortSignal: true,
  getList: list,
  getOne: async (resource: string, { id, signal }: { id: Id; signal?: AbortSignal }) => ({
    data: await item(pathOf(resource, id), { signal }),
  }),
  getMany: async (resource: string, { ids }: { ids: Id[] }) => {
    const parts = Array.from({ length: Math.ceil(ids.length / MAX_VALUES) }, (_, at) =>
      ids.slice(at * MAX_VALUES, (at + 1) * MAX_VALUES),
    );
    const pages = await Promise.all(
      parts.map((part) => {
        const search = query({ range: `0-${part.length}`, filters: `id:in:${part.join(',')}` });
        return getPage<Item>(`${pathOf(resource)}${search}`).catch(toHttpError);
      }),
    );
    return { data: pages.flatMap(({ items }) => items) };
  },
  getManyReference: (
    resource: string,
    { target, id, filter, ...rest }: ListParameters & { target: string; id: Id },
  ) => list(resource, { ...rest, filter: { ...filter, [`${target}@eq`]: String(id) } }),
  create: async (resource: string, { data }: { data: Record<string, unknown> }) => {
    const tile = tileOf(data);
    const [path, body] = tile ? [TILES, tile] : [pathOf(resource), bodyOf(resource, data)];
    return { data: await item(path, { method: 'POST', body }) };
  },
  update: async (
    resource: string,
    {
      id,
      data,
      previousData = {},
    }: { id: Id; data: Record<string, unknown>; previousData?: Record<string, unknown> },
  ) => {
    const headers = writeHeaders(data[ETAG]);
    const tile = tileOf(data);
    if (tile) {
      const stored = await item(`${TILES}/${String(id)}`, { method: 'PUT', body: tile, headers });
      return { data: { ...stored, [STORED_AT]: Date.now() } };
    }
    const body = patchOf(resource, previousData, data);
    if (body.length === 0) return { data: previousData };
    return { data: await item(pathOf(resource, id), { method: 'PATCH', body, headers }) };
  },
  updateMany: async (
    resource: string,
    { ids, data }: { ids: Id[]; data: Record<string, unknown> },
  ) => {
    const body = Object.entries(bodyOf(resource, data)).map((entry) => replacing(...entry));
    for (const id of ids) await item(pathOf(resource, id), { method: 'PATCH', body });
    return { data: ids };
  },
  delete: async (
    resource: string,
    { id, previousData }: { id: Id; previousData?: Record<string, unknown> },
  ) => {
    const headers = writeHeaders(previousData?.[ETAG]);
    await send(pathOf(resource, id), { method: 'DELETE', headers }).catch(toHttpError);
    return { data: previousData ?? { id } };
  },
  deleteMany: async (resource: string, { ids }: { ids: Id[] }) => {
    for (const id of ids) await send(pathOf(resource, id), { method: 'DELETE' }).catch(toHttpError);
    return { data: ids };
  },
} as unknown as DataProvider;
