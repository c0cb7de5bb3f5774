import { Bindings } from '../../database/bindings.js';
import type { Database, Reader } from '../../database/database.js';
import { users } from '../../directory/user.resource.js';
import { conflict } from '../../base/errors/api-errors.js';
import { folded } from '../../resources/attributes/folded-text.js';
import type { LinkAttribute } from '../../resources/attributes/link-attribute.js';
import { filterCondition, viewerOf } from '../../resources/list/conditions.js';
import { type Filter, type FilterMode, parseFilter } from '../../resources/list/filters.js';
import { type ListPlan, within } from '../../resources/list/plan-list.js';
import { presentRef, type Ref } from '../../resources/ref.js';
import { idIn, uriOf } from '../../resources/uri.js';
import { sqlViewer } from '../../resources/visibility.js';
import type { Viewer } from '../../security/caller.js';
import { applications } from '../applications/application.resource.js';
import { type ConditionSlots, countInHalves, tallyOfOne } from '../tiles/count-tasks.js';
import { CountedCondition } from '../tiles/counted-condition.js';
import { demandOf, parseView, type StoredFilters, UnreadableView } from '../tiles/parse-view.js';
import { filtersOffered, MAX_SHARED_DEMAND, taskFilters } from './task-filter.resource.js';
import { OPEN, tasks } from '../tasks/task.resource.js';
import { planWaiting } from './waiting-tasks.js';
import { type PresentedReason, Reason, reason } from '../../base/errors/reason.js';

/** A saved filter as the inbox of a person offers it (docs/api-contract.md#saved-filters). */
export interface OfferedFilter extends StoredFilters {
  uri: string;
  label: string;
  owner: Ref;
  isOwn: boolean;
  isShared: boolean;
  /** Its place among the filters of its owner. */
  position: number;
}

/** How many tasks of an inbox a filter matches, or why the server cannot count them. */
export interface FilterCount {
  count: number | null;
  problem: PresentedReason | null;
}

/** Most filters that an inbox offers, the person's own first. */
const MAX_OFFERED = 200;

/**
 * Time limits in milliseconds for the counts of a person's own filters and of the shared ones. Filters beyond them stay
 * uncounted.
 */
const OWN_LIMIT = 3_000;
const SHARED_LIMIT = 250;

/** Time for the first statement with a filter, in milliseconds. */
const FIRST_LIMIT = 1_000;

/** Most conditions of one statement that are on linked objects or search inside texts: planning takes up to 40 ms. */
const MAX_DEMAND = 100;

const TOO_SLOW = reason('too-slow-to-count').presented;

interface Row {
  id: string;
  label: string;
  person: string;
  owner: string;
  login: string;
  name: string;
  filters: string[];
  filterMode: FilterMode;
  sorter: string | null;
  isShared: boolean;
  position: number;
}

/** Reads the filters of people, in one statement: their own in their order, then those of others by label. */
export async function readOfferedFilters(
  reader: Reader,
  people: string[],
): Promise<Map<string, OfferedFilter[]>> {
  const rows = await reader.query<Row>({
    text: `SELECT p.id::text AS person, f.id::text, f.label, f.owner_id::text AS owner, f.login, f.name, f.filters,
        f.filter_mode AS "filterMode", f.sorter, f.shared AS "isShared", f.position
      FROM unnest($1::bigint[]) AS p(id) CROSS JOIN LATERAL (
        SELECT f.*, u.login, u.${users.ref.labelColumn} AS name,
          f.shared_with_everyone OR EXISTS (SELECT 1 FROM task_filter_groups s WHERE s.filter_id = f.id) AS shared,
          f.owner_id = p.id AS own
        FROM task_filters f JOIN users u ON u.id = f.owner_id
        WHERE f.id = ANY (ARRAY(${filtersOffered('p.id')}))
        ORDER BY own DESC, CASE WHEN f.owner_id = p.id THEN f.position END, ${folded('f.label')}, f.id LIMIT ${MAX_OFFERED}
      ) AS f
      ORDER BY p.id, f.own DESC, CASE WHEN f.own THEN f.position END, ${folded('f.label')}, f.id`,
    values: [people],
  });
  const found = new Map(people.map((id): [string, OfferedFilter[]] => [id, []]));
  for (const { person, id, owner, login, name, ...filter } of rows)
    found.get(person)!.push({
      ...filter,
      uri: uriOf(taskFilters.ref.uri, id),
      owner: presentRef(users.ref, owner, login, name),
      isOwn: owner === person,
    });
  return found;
}

/** Whether a count is missing because the time limit passed. */
export const isTooSlow = ({ problem }: FilterCount): boolean => problem === TOO_SLOW;

/**
 * Counts what each of a person's own filters matches among the tasks that wait for the person, with the person's own
 * rights. A filter that cannot be read or counted says why. The counts are searches of the person.
 * @param limit time for all of them, in milliseconds
 * @throws ApiError 429 when too many searches of the person are waiting
 */
export const countOwn = (
  database: Database,
  filters: StoredFilters[],
  viewer: Viewer,
  limit = OWN_LIMIT,
): Promise<FilterCount[]> => countWithin(limit, database, filters, viewer);

/**
 * Counts the filters that others share with a person, as `countOwn` does, but within a shorter limit: a shared filter
 * must cost its readers little. Filters that exceed the limit of demanding conditions stay uncounted.
 * @throws ApiError 429 when too many searches of the person are waiting
 */
export async function countShared(
  database: Database,
  filters: StoredFilters[],
  viewer: Viewer,
): Promise<FilterCount[]> {
  const affordable = filters.filter((filter) => demandOf(filter) <= MAX_SHARED_DEMAND);
  const counts = await countWithin(SHARED_LIMIT, database, affordable, viewer);
  const countOf = new Map(affordable.map((filter, at) => [filter, counts[at]!]));
  return filters.map((filter) => countOf.get(filter) ?? { count: null, problem: TOO_SLOW });
}

/** An executable filter: its slot (its index in the request) and its number of demanding conditions. */
interface ExecutableFilter extends ConditionSlots {
  demand: number;
}

async function countWithin(
  timeLimit: number,
  database: Database,
  filters: StoredFilters[],
  viewer: Viewer,
): Promise<FilterCount[]> {
  const hidden = await hiddenApplications(database, filters, viewer);
  const counts = filters.map((): FilterCount => ({ count: null, problem: TOO_SLOW }));
  const executable = filters.flatMap((filter, at): ExecutableFilter[] => {
    const problem = faultOf(filter, hidden);
    const condition = problem ?? orFault(() => new CountedCondition(filter, viewer.rights, OPEN));
    if (!(condition instanceof Reason))
      return [{ condition, slots: new Map([[null, at]]), demand: demandOf(filter) }];
    counts[at] = { count: null, problem: condition.presented };
    return [];
  });
  const limits = { first: Math.min(FIRST_LIMIT, timeLimit / 2), total: timeLimit };
  await countInHalves(batchesOf(executable), limits, async (some, limit) => {
    const options = { prepared: false, searcher: viewer.id };
    const tally = await tallyOfOne(database, some, viewer.id, limit, options);
    for (const at of some.flatMap(({ slots }) => [...slots.values()]))
      counts[at] = { count: tally.get(at) ?? 0, problem: null };
  });
  return counts;
}

/** The filters of each statement: cheap ones first, the most demanding last. */
function batchesOf(filters: ExecutableFilter[]): ExecutableFilter[][] {
  const batches: ExecutableFilter[][] = [];
  let sum = Infinity;
  for (const filter of filters.toSorted((a, b) => a.demand - b.demand)) {
    const isFirstDemanding = sum === 0 && filter.demand > 0;
    if (isFirstDemanding || sum + filter.demand > MAX_DEMAND) {
      batches.push([]);
      sum = 0;
    }
    batches.at(-1)!.push(filter);
    sum += filter.demand;
  }
  return batches;
}

/**
 * The plan of what a filter matches in the inbox of the caller; filters and a sorter of the request come on top.
 * @throws ApiError 409 when the filter cannot be read
 */
export function planFiltered(plan: ListPlan, filter: StoredFilters): ListPlan {
  const parsed = orFault(() => parseView(filter, plan.caller));
  if (parsed instanceof Reason) throw conflict(reason('filter-not-executable', { fault: parsed }));
  const sorter = plan.sorter.length > 0 ? plan.sorter : parsed.sorter;
  const waiting = planWaiting({ ...plan, sorter });
  const parameters: Record<string, unknown> = { ...waiting.within!.parameters };
  const value = ({ value }: Filter, index: number): string => {
    parameters[`saved${index}`] = value;
    return `:saved${index}`;
  };
  const condition = filterCondition(parsed, viewerOf(plan.caller), value);
  return within(waiting, `${waiting.within!.sql} AND ${condition}`, parameters, parsed.filters);
}

/** The result of parsing filters, or what is wrong with them. */
function orFault<T>(make: () => T): T | Reason {
  try {
    return make();
  } catch (error) {
    if (error instanceof UnreadableView) return error.faults[0]!;
    throw error;
  }
}

const application = tasks.attributes.get('application') as LinkAttribute;

/**
 * The ids of the applications that a filter requires by a condition on one application. In a condition on several,
 * hidden ones just match nothing.
 */
const applicationsIn = ({ filters }: StoredFilters): string[] =>
  filters.map(parseFilter).flatMap(({ name, operator, value = '' }) => {
    const id = idIn(value, applications.ref.uri);
    const isDemand = name === 'application' && (operator === 'eq' || operator === 'in');
    return isDemand && id !== undefined ? [id] : [];
  });

/** The applications in filters that are deleted or hidden from the person: no task matches these filters. */
async function hiddenApplications(
  reader: Reader,
  filters: StoredFilters[],
  viewer: Viewer,
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(filters.flatMap(applicationsIn))];
  if (ids.length === 0) return new Set();
  const { bind, values } = new Bindings();
  const wanted = bind(ids);
  const seen = application.seenBy(sqlViewer(viewer, bind), 'a') ?? 'true';
  const rows = await reader.rows({
    text: `SELECT a.id FROM applications a WHERE a.id = ANY (${wanted}::bigint[]) AND ${seen}`,
    values,
  });
  const visible = new Set(rows.map(([id]) => String(id)));
  return new Set(ids.filter((id) => !visible.has(id)));
}

/** The answer is the same for a hidden application as for a deleted one. The other conditions of an `or` still match. */
function faultOf(filter: StoredFilters, hidden: ReadonlySet<string>): Reason | undefined {
  const missing = applicationsIn(filter).filter((id) => hidden.has(id));
  if (filter.filterMode === 'or' && missing.length < filter.filters.length) return undefined;
  return missing[0] === undefined
    ? undefined
    : reason('unknown-object', { uri: uriOf(applications.ref.uri, missing[0]) });
}
