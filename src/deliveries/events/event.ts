import { presentRef, type Ref } from '../../resources/ref.js';
import { messageIdOf } from './delivery.resource.js';

/** A delivery as the sender reads it. */
export interface StoredDelivery {
  id: string;
  messageId: string;
  taskId: string | null;
  kind: string;
  revision: number | null;
  /** The columns that the dispatcher stored. */
  data: StoredData;
  attempts: number;
  /** A decision that the engine may have taken without the server's knowledge. A replay does not change it. */
  isInDoubt: boolean;
  retries: number;
  /** When the change was made, as a timestamp of the API. */
  date: string;
}

/** The columns of the task after the change, the former values of the changed ones, and the Refs of its links. */
export interface StoredData {
  task?: Record<string, unknown>;
  before?: Record<string, unknown>;
  links?: Record<string, [id: string, reference: string, label: string] | null>;
  /** Whether the endpoint confirmed decisions when the delivery was made. */
  confirms?: boolean;
}

/** A body of Standard Webhooks that is a CloudEvent in structured mode too. */
export interface TaskEvent {
  specversion: '1.0';
  id: string;
  source: string;
  type: string;
  subject?: string;
  time: string;
  timestamp: string;
  datacontenttype: 'application/json';
  data: Record<string, unknown>;
}

const SOURCES = '/process/sources';

/** The columns in events, by their names on the wire, without links and dates. */
const PLAIN: Record<string, string> = {
  reference: 'reference',
  external_id: 'externalId',
  title: 'title',
  status: 'status',
  priority: 'priority',
  link: 'link',
  source_version: 'sourceVersion',
  correlation_id: 'correlationId',
  outcome: 'outcome',
  comment: 'comment',
  confirmation: 'confirmation',
  refusal_reason: 'refusalReason',
};
const DATES: Record<string, string> = {
  due_date: 'dueDate',
  follow_up_date: 'followUpDate',
  creation_date: 'creationDate',
  modification_date: 'modificationDate',
  completion_date: 'completionDate',
};
const LINKS: Record<string, { name: string; uri: string }> = {
  application_id: { name: 'application', uri: '/navigation/applications' },
  assignee_id: { name: 'assignee', uri: '/directory/users' },
  group_id: { name: 'group', uri: '/directory/groups' },
  closed_by_id: { name: 'closedBy', uri: '/directory/users' },
  closed_for_id: { name: 'closedFor', uri: '/directory/users' },
  source_id: { name: 'source', uri: SOURCES },
};
/** Long texts. An event names them as changed without their values. */
const LONG: Record<string, string> = {
  description: 'description',
  variables: 'variables',
  outcomes: 'outcomes',
};

/**
 * Makes the event of a delivery (docs/api-contract.md#task-events). It is the same in every attempt.
 * @param source the address of this server
 * @param content whether `data` has the whole task, or only the parts needed to read it
 */
export function presentEvent(
  { messageId, taskId, kind, revision, data, date }: StoredDelivery,
  source: string,
  content: string,
): TaskEvent {
  return {
    specversion: '1.0',
    id: messageIdOf(messageId),
    source,
    type: kind,
    ...(taskId !== null && { subject: `/process/tasks/${taskId}` }),
    time: date,
    timestamp: date,
    datacontenttype: 'application/json',
    data: taskId === null ? {} : presentData(taskId, revision, data, content),
  };
}

function presentData(
  id: string,
  revision: number | null,
  { task = {}, before = {}, links = {} }: StoredData,
  content: string,
): Record<string, unknown> {
  const identity = {
    id,
    uri: `/process/tasks/${id}`,
    reference: task.reference ?? null,
    source: presentLink(SOURCES, links.source_id),
    externalId: task.external_id ?? null,
    revision,
  };
  if (content === 'thin') return { task: identity };
  const changed = Object.keys(before).flatMap((column) => nameOf(column) ?? []);
  return {
    task: {
      ...identity,
      ...rename(PLAIN, task, (value) => value),
      ...Object.fromEntries(
        Object.entries(LINKS).map(([column, { name, uri }]) => [
          name,
          presentLink(uri, links[column]),
        ]),
      ),
      ...rename(DATES, task, presentDate),
    },
    changed: changed.sort(),
    previous: {
      ...rename(PLAIN, before, (value) => value),
      ...Object.fromEntries(
        Object.entries(LINKS).flatMap(([column, { name, uri }]) =>
          column in before
            ? [[name, before[column] === null ? null : `${uri}/${before[column] as number}`]]
            : [],
        ),
      ),
      ...rename(DATES, before, presentDate),
    },
  };
}

const nameOf = (column: string): string | undefined =>
  PLAIN[column] ?? DATES[column] ?? LINKS[column]?.name ?? LONG[column];

const presentLink = (
  uri: string,
  link: [id: string, reference: string, label: string] | null | undefined,
): Ref | null => (link ? presentRef({ uri }, ...link) : null);

/** Null also for dates that plain SQL can store and JavaScript cannot read, such as infinity. */
const presentDate = (value: unknown): string | null => {
  const date = new Date(typeof value === 'string' ? value : NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
};

/** The present columns, by their names on the wire. */
const rename = (
  names: Record<string, string>,
  columns: Record<string, unknown>,
  present: (value: unknown) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([column, name]) =>
      column in columns ? [[name, present(columns[column])]] : [],
    ),
  );
