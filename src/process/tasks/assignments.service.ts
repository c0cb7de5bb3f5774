import { Injectable } from '@nestjs/common';
import { Bindings } from '../../database/bindings.js';
import { Database, type Transaction } from '../../database/database.js';
import { invalid, type InvalidField, missingPermission } from '../../base/errors/api-errors.js';
import { ANY } from '../../base/rights/permissions.js';
import { groups } from '../../directory/group.resource.js';
import { users } from '../../directory/user.resource.js';
import { presentRef, type Ref, type RefTarget } from '../../resources/ref.js';
import { LISTED } from '../../resources/resource.js';
import { filterCondition } from '../../resources/list/conditions.js';
import { type FilterMode, parseFilter } from '../../resources/list/filters.js';
import { FIRST_PAGE } from '../../resources/list/parse-list-request.js';
import { planList } from '../../resources/list/plan-list.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { uriOf } from '../../resources/uri.js';
import { sqlViewer, type SqlViewer } from '../../resources/visibility.js';
import { onlyChanged } from '../../resources/write/resource-writer.js';
import { type AuditContext, recordAuditLines } from '../../security/audit.service.js';
import type { Caller } from '../../security/caller.js';
import { MAX_ASSIGNED_TASKS } from './bulk-action.dto.js';
import type { NewOwner } from './new-owner.js';
import { OPEN, tasks } from './task.resource.js';

/** Whom a task waits for. */
interface Waiting extends Record<string, unknown> {
  assignee: Ref | null;
  group: Ref | null;
  candidates: Ref[];
}

/** The call of a person who gives tasks to somebody else. */
export interface Assigner {
  caller: Caller;
  auditContext: AuditContext;
}

/** How many tasks were a user's own, and how many the user could claim as a candidate. */
export interface TaskCounts {
  tasks: number;
  candidatures: number;
}

/** Which open tasks a call takes. */
interface Choice {
  conditions: (viewer: SqlViewer, bind: Bindings['bind']) => string[];
  limit: string;
}

/** Those that the call names. */
export const tasksOf = (ids: string[]): Choice => ({
  conditions: (_, bind) => [`${LISTED}.id = ANY (${bind(ids)}::bigint[])`],
  limit: '',
});

/**
 * Those that match filters: one more than a call may assign, at most.
 * @throws ApiError 400 naming `filters`
 */
export function tasksMatching(
  caller: Caller,
  { filters: given, filterMode }: { filters: string[]; filterMode: FilterMode },
): Choice {
  const bad: InvalidField[] = [];
  const terms = given.map(parseFilter);
  const { filters } = planList(tasks, caller, { ...FIRST_PAGE, filters: terms, filterMode }, bad);
  if (bad.length > 0) throw invalid(bad);
  return {
    conditions: (viewer, bind) => [
      ...tasks.listConditions(viewer),
      filterCondition({ filters, filterMode }, viewer, ({ value }) =>
        value === undefined ? '' : bind(value),
      ),
    ],
    limit: `LIMIT ${MAX_ASSIGNED_TASKS + 1}`,
  };
}

/** The attributes that a caller must be able to change. */
const ASSIGNED = ['assignee', 'group'];

/** Gives many tasks to somebody else at once (docs/api-contract.md#people-who-leave). */
@Injectable()
export class Assignments {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
  ) {}

  /**
   * Whether the caller may change who has tasks, at least within a scope.
   * @throws ApiError 403
   */
  requireMayAssign({ rights }: Caller): void {
    if (!rights.attributesInPlaces('tasks:change').some(mayAssign))
      throw missingPermission('tasks:change');
  }

  /**
   * Gives the open tasks and candidatures of a user to somebody else.
   * @returns how many it gives away, and how many stay of those that the caller sees: those that the caller may not move,
   * and that nobody would have
   */
  async handOver(
    { transaction, caller, auditContext }: Assigner & { transaction: Transaction },
    leaver: string,
    owner: NewOwner,
  ): Promise<{ moved: TaskCounts; remaining: TaskCounts }> {
    const all = Object.values(await readLeft(transaction, leaver)).flat();
    const { found, movable } = await this.lock(transaction, caller, tasksOf([...new Set(all)]));
    // Again under the lock: others may have taken some of them meanwhile.
    const left = await readLeft(transaction, leaver);
    const [assigned, offered] = [left.assigned, left.offered].map((ids) =>
      ids.filter((id) => found.has(id)),
    ) as [string[], string[]];
    const move = (ids: ReadonlySet<string>): Promise<void> =>
      this.move(transaction, owner, {
        assigned: assigned.filter((id) => ids.has(id)),
        offered: offered.filter((id) => ids.has(id)),
        leaver,
      });
    const ids = await this.staying(transaction, caller, movable, move);
    const { before, after } = await this.recorded({ transaction, auditContext }, ids, move);
    const leaving = (has: (one: Waiting) => boolean): number =>
      [...before].filter(([id, state]) => has(state) && !has(after.get(id)!)).length;
    const moved = {
      tasks: leaving(({ assignee }) => assignee?.id === leaver),
      candidatures: leaving(({ candidates }) => candidates.some(({ id }) => id === leaver)),
    };
    const remaining = {
      tasks: assigned.length - moved.tasks,
      candidatures: offered.length - moved.candidatures,
    };
    return { moved, remaining };
  }

  /**
   * Gives open tasks to somebody else, in one transaction.
   * @returns the ids of the open tasks of the choice, the oldest first, and the Refs of those that the caller may move, by
   * id; the others are as they were
   */
  assign(
    { caller, auditContext }: Assigner,
    choice: Choice,
    owner: NewOwner,
  ): Promise<{ found: string[]; assigned: Map<string, Ref> }> {
    return this.database.transaction(async (transaction) => {
      const locked = await this.lock(transaction, caller, choice);
      const found = [...locked.found];
      const chosen = found.slice(0, MAX_ASSIGNED_TASKS).filter((id) => locked.movable.has(id));
      const move = (ids: ReadonlySet<string>): Promise<void> =>
        this.move(transaction, owner, { assigned: [...ids], offered: [], leaver: null });
      const ids = await this.staying(transaction, caller, new Set(chosen), move);
      await this.recorded({ transaction, auditContext }, ids, move);
      const rows = await transaction.rows({
        text: 'SELECT id, reference, title FROM tasks WHERE id = ANY ($1::bigint[])',
        values: [[...ids]],
      });
      const assigned = new Map(
        rows.map(([id, reference, title]) => [
          String(id),
          presentRef(tasks.ref, id, reference, title),
        ]),
      );
      return { found, assigned };
    });
  }

  /**
   * Locks the chosen open tasks that the caller sees. One statement finds and locks them, so that PostgreSQL checks the
   * conditions again for a task that somebody else has changed meanwhile.
   * @returns their ids, the oldest first, and those that the caller may move
   */
  private async lock(
    transaction: Transaction,
    caller: Caller,
    { conditions: chosen, limit }: Choice,
  ): Promise<{ found: ReadonlySet<string>; movable: ReadonlySet<string> }> {
    const { rights } = caller;
    const { bind, values } = new Bindings();
    const viewer = sqlViewer(caller, bind);
    const conditions = [
      `${LISTED}.status = '${OPEN}'`,
      ...tasks.conditionsForOne(viewer),
      ...chosen(viewer, bind),
    ];
    // Of the process engines, only the service account of a source writes its tasks.
    const writes =
      rights.permits('tasks:change') && !rights.permits('sources:push')
        ? `(${LISTED}.source_id IS NULL OR ${LISTED}.source_id IN (SELECT s.id FROM sources s WHERE s.service_account_id = ${bind(caller.id)}))`
        : 'true';
    const rows = await transaction.rows({
      text: `SELECT ${LISTED}.id::text, ${writes} FROM tasks ${LISTED} WHERE ${conditions.join(' AND ')}
        ORDER BY ${LISTED}.id ${limit} FOR NO KEY UPDATE`,
      values,
    });
    const found = new Set(rows.map(([id]) => String(id)));
    const written = rows.flatMap(([id, isWritten]) => (isWritten === true ? String(id) : []));
    return { found, movable: await this.assignable(transaction, caller, written) };
  }

  /** Those of the tasks whose assignee and group the caller may change. */
  private async assignable(
    transaction: Transaction,
    caller: Caller,
    ids: string[],
  ): Promise<ReadonlySet<string>> {
    if (mayAssign(caller.rights.attributes('tasks:change'))) return new Set(ids);
    const asked = { permission: 'tasks:change', ids } as const;
    const granted = await this.reader.grantedInEach(tasks, caller, asked, transaction);
    return new Set(ids.filter((id) => mayAssign(granted(id))));
  }

  /**
   * Those of the tasks that a move leaves in the scopes of the caller's roles: no role moves a task out of its scope. It
   * moves them once and takes that back.
   */
  private async staying(
    transaction: Transaction,
    caller: Caller,
    ids: ReadonlySet<string>,
    move: (ids: ReadonlySet<string>) => Promise<void>,
  ): Promise<ReadonlySet<string>> {
    if (ids.size === 0 || mayAssign(caller.rights.attributes('tasks:change'))) return ids;
    await transaction.execute({ text: 'SAVEPOINT unmoved', values: [] });
    await move(ids);
    const staying = await this.assignable(transaction, caller, [...ids]);
    await transaction.execute({ text: 'ROLLBACK TO SAVEPOINT unmoved', values: [] });
    return staying;
  }

  /** Writes a line of the audit trail for each task that `work` changes. */
  private async recorded(
    { transaction, auditContext }: { transaction: Transaction; auditContext: AuditContext },
    ids: ReadonlySet<string>,
    work: (ids: ReadonlySet<string>) => Promise<void>,
  ): Promise<{ before: Map<string, Waiting>; after: Map<string, Waiting> }> {
    const before = await readWaiting(transaction, ids);
    await work(ids);
    const after = await readWaiting(transaction, ids);
    const lines = [...before].flatMap(([id, state]) => {
      const states = onlyChanged(state, after.get(id)!);
      const objectUri = uriOf(tasks.ref.uri, id);
      return Object.keys(states.after).length === 0
        ? []
        : [{ auditContext, entry: { action: 'update' as const, objectUri, ...states } }];
    });
    await recordAuditLines(transaction, lines);
    return { before, after };
  }

  private async move(
    transaction: Transaction,
    owner: NewOwner,
    { assigned, offered, leaver }: Moved,
  ): Promise<void> {
    const candidates = leaver === null ? [] : await offer(transaction, owner, offered, leaver);
    const ids = owner.kind === 'fallback' ? [...new Set([...assigned, ...candidates])] : assigned;
    const written = await transaction.rows(giving(owner, ids, leaver));
    const isWritten = new Set(written.map(([id]) => String(id)));
    await transaction.execute({
      text: `UPDATE tasks SET ${NEXT} WHERE id = ANY ($1::bigint[])`,
      values: [candidates.filter((id) => !isWritten.has(id))],
    });
  }
}

/** The tasks of a leaver, or of anybody. */
interface Moved {
  /** The tasks to assign. */
  assigned: string[];
  /** Tasks of which the leaver is a candidate. */
  offered: string[];
  leaver: string | null;
}

const mayAssign = (attributes: ReadonlySet<string>): boolean =>
  attributes.has(ANY) || ASSIGNED.every((name) => attributes.has(name));

const NEXT = 'revision = revision + 1, modification_date = now()';

/**
 * Gives tasks to a new owner. Without one, a task without a group and without candidates waits for the fallback group of
 * its source, or stays as it is.
 * @param leaver the only assignee whose tasks are given back; null for every assignee
 */
function giving(owner: NewOwner, ids: string[], leaver: string | null) {
  const update = (set: string, condition: string) =>
    `UPDATE tasks t SET ${set}, ${NEXT} WHERE id = ANY ($1::bigint[]) AND (${condition}) RETURNING id`;
  switch (owner.kind) {
    case 'user':
      return {
        text: update('assignee_id = $2', 'assignee_id IS DISTINCT FROM $2::bigint'),
        values: [ids, owner.id],
      };
    case 'group':
      return {
        text: update(
          'assignee_id = NULL, group_id = $2',
          'assignee_id IS NOT NULL OR group_id IS DISTINCT FROM $2::bigint',
        ),
        values: [ids, owner.id],
      };
    case 'fallback':
      return {
        text: update(
          `assignee_id = NULL, group_id = CASE WHEN ${IS_OFFERED} THEN t.group_id ELSE ${FALLBACK_GROUP} END`,
          `coalesce(assignee_id = $2, $2::bigint IS NULL OR assignee_id IS NULL)
            AND (assignee_id IS NOT NULL OR NOT ${IS_OFFERED}) AND (${IS_OFFERED} OR ${FALLBACK_GROUP} IS NOT NULL)`,
        ),
        values: [ids, leaver],
      };
  }
}

/** SQL of the fallback group of the source of a task `t`. */
const FALLBACK_GROUP = '(SELECT s.fallback_group_id FROM sources s WHERE s.id = t.source_id)';

/** SQL of whether a task `t` waits for somebody besides its assignee. */
const IS_OFFERED =
  '(t.group_id IS NOT NULL OR EXISTS (SELECT 1 FROM task_candidates c WHERE c.task_id = t.id))';

/**
 * Replaces a candidate. Without a new owner, the candidate stays where nobody else would have the task.
 * @returns the tasks whose candidates have changed
 */
async function offer(
  transaction: Transaction,
  owner: NewOwner,
  ids: string[],
  leaver: string,
): Promise<string[]> {
  if (owner.kind !== 'fallback')
    await transaction.execute({
      text: `INSERT INTO task_candidates (task_id, ${owner.kind}_id) SELECT one, $2 FROM unnest($1::bigint[]) AS one
        ON CONFLICT DO NOTHING`,
      values: [ids, owner.id],
    });
  const isCovered = `(t.group_id IS NOT NULL OR t.assignee_id <> $2 OR EXISTS (
      SELECT 1 FROM task_candidates o WHERE o.task_id = t.id AND o.user_id IS DISTINCT FROM $2::bigint)
    OR ${FALLBACK_GROUP} IS NOT NULL)`;
  const rows = await transaction.rows({
    text: `DELETE FROM task_candidates c USING tasks t
      WHERE c.task_id = ANY ($1::bigint[]) AND c.user_id = $2 AND t.id = c.task_id
        AND ${owner.kind === 'fallback' ? isCovered : 'true'}
      RETURNING c.task_id`,
    values: [ids, leaver],
  });
  return rows.map(([id]) => String(id));
}

const ASSIGNED_TO = `SELECT id FROM tasks WHERE assignee_id = $1 AND status = '${OPEN}'`;
const OFFERED_TO = 'SELECT task_id FROM task_candidates WHERE user_id = $1 AND open';

/** The open tasks of a user, and those of which the user is a candidate. */
const readLeft = async (transaction: Transaction, user: string) => ({
  assigned: await idsOf(transaction, ASSIGNED_TO, user),
  offered: await idsOf(transaction, OFFERED_TO, user),
});

async function idsOf(transaction: Transaction, text: string, user: string): Promise<string[]> {
  const rows = await transaction.rows({ text, values: [user] });
  return rows.map(([id]) => String(id));
}

/** SQL of the Ref of an object; null where there is none. */
const refSql = ({ uri, referenceColumn, labelColumn }: RefTarget, alias: string): string =>
  `CASE WHEN ${alias}.id IS NOT NULL THEN json_build_object('id', ${alias}.id::text, 'uri', '${uri}/' || ${alias}.id,
    'reference', ${alias}.${referenceColumn}, 'label', ${alias}.${labelColumn}) END`;

/** Whom tasks wait for, in the form in which the audit trail has them. */
async function readWaiting(
  transaction: Transaction,
  ids: ReadonlySet<string>,
): Promise<Map<string, Waiting>> {
  const rows = await transaction.query<Waiting & { id: string }>({
    text: `SELECT t.id::text, ${refSql(users.ref, 'u')} AS assignee, ${refSql(groups.ref, 'g')} AS "group",
        coalesce((SELECT json_agg(coalesce(${refSql(users.ref, 'cu')}, ${refSql(groups.ref, 'cg')}) ORDER BY c.principal_id)
          FROM task_candidates c LEFT JOIN users cu ON cu.id = c.user_id LEFT JOIN groups cg ON cg.id = c.group_id
          WHERE c.task_id = t.id), '[]') AS candidates
      FROM tasks t LEFT JOIN users u ON u.id = t.assignee_id LEFT JOIN groups g ON g.id = t.group_id
      WHERE t.id = ANY ($1::bigint[])`,
    values: [[...ids]],
  });
  return new Map(rows.map(({ id, ...waiting }) => [id, waiting]));
}
