import type { Ref } from '../../api-client/types.js';
import { fetchAll } from '../api/fetch-all.js';
import { MAX_RANGE } from '../api/data-provider.js';
import { getPage, query } from '../../api-client/api.js';
import { getCountedPage } from '../../api-client/counted-page.js';
import { resourceOf } from '../resources.js';
import { fileAttributes, isMemberships, writeCellOf } from './cells.js';

type Item = Record<string, unknown> & { id: string };

/** Most records of a file, because the browser holds all of them. */
export const MOST_EXPORTED = 200_000;

/**
 * The records of a list as the rows of a file, its header first.
 * @param parameters the filters and the order of the list
 * @returns undefined for more than MOST_EXPORTED records
 * @throws ApiProblem
 */
export async function exportRows(
  resource: string,
  parameters: Record<string, string | string[] | undefined>,
  onProgress: (part: number) => void,
): Promise<string[][] | undefined> {
  const attributes = fileAttributes(resource);
  const counted = `${resourceOf(resource).path}${query({ ...parameters, range: '0-1' })}`;
  if (((await getCountedPage(counted)).total ?? 0) > MOST_EXPORTED) return undefined;
  const all = await fetchAll<Item>(resource, parameters, { most: MOST_EXPORTED + 1, onProgress });
  if (all.length > MOST_EXPORTED) return undefined;
  // The account of the installation itself cannot be imported, so it is not exported either.
  const records = all.filter(({ login }) => resource !== 'users' || login !== 'sysadmin');
  if (attributes.some((attribute) => isMemberships(resource, attribute))) {
    const memberships = await membershipsByUser();
    for (const record of records) record.groups = memberships.get(record.id) ?? [];
  }
  const rows = records.map((record) =>
    attributes.map((attribute) => writeCellOf(attribute, record[attribute.name])),
  );
  return [attributes.map(({ name }) => name), ...rows];
}

/** The groups of every user: lists of users do not show them, and there are fewer groups than users. */
async function membershipsByUser(): Promise<Map<string, Ref[]>> {
  const groups = await fetchAll<Ref>('groups', { sorter: 'reference' }, { most: Infinity });
  const byUser = new Map<string, Ref[]>();
  for (const group of groups)
    for (const { id } of await membersOf(group)) byUser.set(id, [...(byUser.get(id) ?? []), group]);
  return byUser;
}

async function membersOf({ uri }: Ref): Promise<Ref[]> {
  const members: Ref[] = [];
  for (;;) {
    const search = query({ range: `${members.length}-${MAX_RANGE}` });
    const { items, hasNext } = await getPage<Ref>(`/api/v2${uri}/members${search}`);
    members.push(...items);
    if (items.length === 0 || !hasNext) return members;
  }
}
