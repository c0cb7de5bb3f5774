import type { Reader } from '../../database/database.js';
import { groups } from '../../directory/group.resource.js';
import { users } from '../../directory/user.resource.js';
import { folded, foldedValue } from '../../resources/attributes/folded-text.js';
import { presentRef, type Ref, type RefTarget } from '../../resources/ref.js';
import { uriOf } from '../../resources/uri.js';
import { OPEN, tasks } from './task.resource.js';

/** An event in the history of a task (docs/api-contract.md#history-of-a-task). */
export const HISTORY_KINDS = [
  'created',
  'decided',
  'cancelled',
  'reopened',
  'confirmed',
  'refused',
  'claimed',
  'released',
  'reassigned',
  'changed',
  'attached',
  'detached',
] as const;

type HistoryKind = (typeof HISTORY_KINDS)[number];

export interface HistoryEvent {
  kind: HistoryKind;
  creationDate: string;
  /** Null for what no user did, or a user who was deleted. */
  by: Ref | null;
  /** The person for whom this one stood in. */
  onBehalfOf: Ref | null;
  /** The person or the group that has the task afterwards. */
  to: Ref | null;
  /** The name of the file. */
  file: string | null;
  outcome: string | null;
  comment: string | null;
}

/**
 * Most events of a history: the newest ones. Minor events, which one person can repeat at will, fill the remaining
 * places.
 */
const MAX_EVENTS = 200;

/** SQL of whether a line is about a file, or about a claim or a release. */
const IS_MINOR = `coalesce(coalesce(after, before) ? 'file' OR before IS NULL AND after = jsonb_build_object('assignee', after->'assignee'), false)`;

/** SQL of the newest lines of a task, either minor ones or the others; the URI of the task is `$1`. */
const newest = (areMinor: boolean): string =>
  `(SELECT a.id, a.date, a.action, a.before, a.after, a.actor_uri FROM audit a
    WHERE ${folded('a.object_uri')} = ${foldedValue('$1')} AND a.action IN ('create', 'update')
      AND ${IS_MINOR} = ${areMinor} ORDER BY a.id DESC LIMIT ${MAX_EVENTS})`;

/** The written attributes of a task before or after a change, from the trail. */
type State = Record<string, unknown>;

/** A line of the audit trail. */
interface Line {
  date: string;
  action: string;
  before: State | null;
  after: State | null;
  by: string | null;
  login: string;
  name: string;
}

/** The status of a task while its history is read. */
interface Course {
  status: string;
}

/**
 * Reads the history of a task from the audit trail, oldest first, for as long as the trail is kept. The history of a
 * task that an import or plain SQL has created begins with a creation without an author.
 */
export async function readHistory(
  reader: Reader,
  task: { id: string; creationDate: string },
): Promise<HistoryEvent[]> {
  const lines = await reader.query<Line>({
    text: `SELECT a.date, a.action, a.before, a.after, u.id::text AS by, u.login, u.${users.ref.labelColumn} AS name
      FROM (
        SELECT * FROM (${newest(false)} UNION ALL ${newest(true)}) AS lines
        ORDER BY ${IS_MINOR}, id DESC LIMIT ${MAX_EVENTS}
      ) AS a LEFT JOIN users u ON u.id = substring(a.actor_uri from '^${users.ref.uri}/([0-9]+)$')::bigint
      ORDER BY a.id`,
    values: [uriOf(tasks.ref.uri, task.id)],
  });
  const course: Course = { status: statusBefore(lines) };
  const events = lines.map((line) => eventOf(line, course));
  const others = lines.filter((line) => !isMinor(line));
  if (others.length === MAX_EVENTS || others.some(({ action }) => action === 'create'))
    return events;
  if (events.length === MAX_EVENTS) events.splice(lines.findIndex(isMinor), 1);
  const { creationDate } = task;
  const unknown = {
    by: null,
    onBehalfOf: null,
    to: null,
    file: null,
    outcome: null,
    comment: null,
  };
  return [{ kind: 'created', creationDate, ...unknown }, ...events];
}

/** The status before the first of these lines. The trail may have lost the lines before it. */
function statusBefore(lines: Line[]): string {
  const first = lines.find(({ before, after }) => (before?.status ?? after?.status) !== undefined);
  return textIn(first?.before?.status) ?? OPEN;
}

function eventOf(line: Line, course: Course): HistoryEvent {
  const after = line.after ?? {};
  const kind = line.action === 'create' ? begin(after, course) : kindOf(line, after, course);
  const isClosing = kind === 'decided' || kind === 'cancelled';
  const isMove = kind === 'claimed' || kind === 'reassigned';
  return {
    kind,
    creationDate: line.date,
    by: line.by === null ? null : presentRef(users.ref, line.by, line.login, line.name),
    onBehalfOf: isClosing ? refIn(users.ref, after.closedFor) : null,
    to: isMove ? (refIn(users.ref, after.assignee) ?? refIn(groups.ref, after.group)) : null,
    file: fileIn(line),
    outcome: isClosing || kind === 'confirmed' ? textIn(after.outcome) : null,
    comment: commentOf(kind, after),
  };
}

/** The comment of the person or the reason of the engine. */
function commentOf(kind: HistoryKind, after: State): string | null {
  if (kind === 'decided' || kind === 'cancelled') return textIn(after.comment);
  if (kind === 'refused') return textIn(after.refusalReason);
  return kind === 'confirmed' ? textIn(after.note) : null;
}

function begin({ status }: State, course: Course): HistoryKind {
  if (typeof status === 'string') course.status = status;
  return 'created';
}

/** The first match decides, as with the events of tasks. */
function kindOf(line: Line, after: State, course: Course): HistoryKind {
  const ofStatus = statusAfter(after, course);
  if (after.confirmation === 'confirmed') return 'confirmed';
  if (ofStatus !== undefined) return ofStatus;
  if (fileIn(line) !== null) return line.after?.file ? 'attached' : 'detached';
  if (isPush(line, after)) return 'changed';
  if (after.group !== undefined) return 'reassigned';
  if (after.assignee === undefined) return 'changed';
  if (after.assignee === null) return 'released';
  const isOwn = (after.assignee as Partial<Ref>).id === line.by;
  return isOwn ? 'claimed' : 'reassigned';
}

/** The status that a line sets, and the kind of event. */
function statusAfter(after: State, course: Course): HistoryKind | undefined {
  const { status } = after;
  if (typeof status !== 'string' || status === course.status) return undefined;
  course.status = status;
  if (status === OPEN) return after.confirmation === 'refused' ? 'refused' : 'reopened';
  return status === 'done' ? 'decided' : 'cancelled';
}

/** For a push, the trail keeps the sent attributes, not the changed ones. */
const isPush = ({ before }: Line, after: State): boolean =>
  before === null && 'externalId' in after;

/** As `IS_MINOR`. */
const isMinor = (line: Line): boolean =>
  fileIn(line) !== null ||
  (line.before === null && Object.keys(line.after ?? {}).join() === 'assignee');

/** The name of the file that a line is about. */
function fileIn({ before, after }: Line): string | null {
  const file = (after?.file ?? before?.file) as { name?: unknown } | undefined;
  return textIn(file?.name);
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A Ref in the trail. A push may name people by logins, addresses or ids, which readers do not understand. */
function refIn(target: Pick<RefTarget, 'uri'>, value: unknown): Ref | null {
  const { id, reference, label } = (value ?? {}) as Partial<Ref>;
  return label === undefined ? null : presentRef(target, id, reference, label);
}
