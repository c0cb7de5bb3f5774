import { hash } from 'node:crypto';
import type { InvalidField } from '../../base/errors/api-errors.js';
import { faultOfText } from '../../base/validation/class-validation.js';
import { inOrderOfNames } from '../../resources/attributes/name-order.js';
import { linkIdIn } from '../../resources/attributes/link-input.js';
import { type GivenName, isNumber, nameIn } from '../../resources/names.js';
import { parseRecord } from '../../resources/write/parse-body.js';
import { groups } from '../../directory/group.resource.js';
import { users } from '../../directory/user.resource.js';
import { applications } from '../applications/application.resource.js';
import { faultOfChoice, type Outcome } from '../tasks/outcomes.js';
import { MAX_CANDIDATES, MAX_EXTERNAL_ID, OPEN, tasks } from '../tasks/task.resource.js';
import type { KnownNames, NamedKind, PushLink } from './known-names.js';
import { type Reason, reason } from '../../base/errors/reason.js';

type Values = Record<string, unknown>;

/** The links of a task that an item gives by name. */
const LINKS: Record<string, NamedKind> = {
  application: 'applications',
  assignee: 'users',
  group: 'groups',
};

/** The call names the source of all items; the server makes references. */
export const NOT_IN_ITEMS = ['source', 'reference'];

/** Maximum length in characters of a name. */
const MAX_NAME = 255;

/** Stands for a resolved name while the engine validates the other attributes. */
const SOME_ID = '1';

/** A task as a source sent it, before any lookup. */
export interface PushItem {
  externalId: string;
  sourceVersion: number | undefined;
  given: Values;
  /** The result of `digestOf`. */
  digest?: string;
}

/** A line of a stream that is not an item. */
export class UnreadableItem {
  constructor(readonly fields: InvalidField[]) {}
}

/** A candidate of a task, by the column of its id. */
export type Candidate = ['user_id' | 'group_id', id: string];

/** The people and groups of an item who get nothing. */
export interface Missing {
  /** Names of people and groups whom the server does not know, or who cannot sign in. */
  unknown: string[];
  /** Those of them that name a user who cannot sign in. */
  inactive: string[];
}

/** A task that can be stored. */
export interface ParsedItem extends Missing {
  /** Undefined where they stay as they are. */
  candidates: Candidate[] | undefined;
  /** Values by column; columns without a value here stay as they are. */
  columns: Values;
  faults: InvalidField[];
}

/** What the check of an item needs from the task that it changes. */
interface TaskBefore {
  status: string;
  groupId: string | null;
  /** Whether the last push named a person or group that the server did not know. */
  hasUnknown: boolean;
  /** As JSON, which most items need not read. */
  outcomes: string | null;
  /** Whether the source may write tasks of its application. */
  isAllowed: boolean;
}

/** @returns the faults of an item without a usable external id */
export function readItem(item: unknown): PushItem | InvalidField[] {
  if (item instanceof UnreadableItem) return item.fields;
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return [{ name: 'body', reason: reason('not-an-object') }];
  const given = item as Values;
  const { externalId, sourceVersion } = given;
  const fault =
    externalId === undefined || externalId === null || externalId === ''
      ? reason('required')
      : faultOfText(externalId, MAX_EXTERNAL_ID);
  if (fault !== undefined) return [{ name: 'externalId', reason: fault }];
  const version = Number.isSafeInteger(sourceVersion) ? (sourceVersion as number) : undefined;
  return { externalId: externalId as string, sourceVersion: version, given };
}

/**
 * The digest of an item, independent of the order of its attributes. An item with the stored digest changes nothing.
 */
export const digestOf = (item: PushItem): string =>
  (item.digest ??= hash('md5', JSON.stringify(inOrderOfNames(item.given)), 'hex'));

/** The links in an item that have to be looked up. */
export function linksIn({ given }: PushItem): [kind: NamedKind, link: PushLink][] {
  const ofLinks = Object.entries(LINKS).flatMap(([attribute, kind]) => {
    const link = linkIn(given[attribute], [kind]);
    return link === undefined ? [] : [[kind, link] as [NamedKind, PushLink]];
  });
  // The validation rejects too many candidates, so a lookup would be wasted.
  if (!Array.isArray(given.candidates) || given.candidates.length > MAX_CANDIDATES) return ofLinks;
  const ofCandidates = given.candidates.flatMap((value) => {
    const link = linkIn(value, CANDIDATES);
    if (link === undefined) return [];
    return CANDIDATES.map((kind) => [kind, link] as [NamedKind, PushLink]);
  });
  return [...ofLinks, ...ofCandidates];
}

/** The kinds of candidates. */
const CANDIDATES: NamedKind[] = ['users', 'groups'];

const URIS: Record<NamedKind, string> = {
  users: users.ref.uri,
  groups: groups.ref.uri,
  applications: applications.ref.uri,
};

/**
 * A link of an item to an object of one of these kinds. A text is a URI or a name, never an id, because ids differ
 * between installations. An object may have an id.
 */
export function linkIn(value: unknown, kinds: NamedKind[]): PushLink | undefined {
  const isText = typeof value === 'string';
  const prefixes = kinds.map((kind) => URIS[kind]);
  const id = isText && isNumber(value) ? undefined : linkIdIn(value, prefixes);
  if (id !== undefined) return { key: `id ${id}`, text: isText ? value : id, id };
  const given: GivenName | undefined = isText ? { name: value } : nameIn(value);
  if (!given || given.name === '' || faultOfText(given.name, MAX_NAME) !== undefined)
    return undefined;
  return { key: `${given.by ?? 'text'} ${given.name}`, text: given.name, ...given };
}

/**
 * Checks an item like a body of the API, with names in place of links.
 * @param stored the task that it changes; attributes of a new task that it omits get their default
 * @param fallbackGroupId the group for people whom the server does not know
 */
export function parseItem(
  item: PushItem,
  stored: TaskBefore | undefined,
  known: KnownNames,
  fallbackGroupId: string | null,
): ParsedItem {
  const { given } = item;
  const faults: InvalidField[] = NOT_IN_ITEMS.filter((name) => Object.hasOwn(given, name)).map(
    (name) => ({ name, reason: reason('not-in-a-push') }),
  );
  const body: Values = { ...given };
  for (const name of NOT_IN_ITEMS) delete body[name];
  // An item without a version is neither older nor newer.
  if (body.sourceVersion === null) delete body.sourceVersion;
  const missing: Missing = { unknown: [], inactive: [] };
  const { unknown } = missing;
  const columns: Values = {};
  for (const [attribute, kind] of Object.entries(LINKS)) {
    const value = body[attribute];
    if (value === undefined || value === null) continue;
    const link = linkIn(value, [kind]);
    const id = link && known.idOf(kind, link);
    const column = tasks.attributes.get(attribute)!.column;
    columns[column] = id ?? null;
    body[attribute] = SOME_ID;
    if (id !== undefined) continue;
    if (link === undefined)
      faults.push({ name: attribute, reason: reason('not-a-name', { max: MAX_NAME }) });
    else if (kind === 'applications')
      faults.push({
        name: attribute,
        reason: reason('unknown-application', { name: link.text }),
      });
    else if (fallbackGroupId === null)
      faults.push({
        name: attribute,
        reason: reasonOfUnknown(known, link, NOUNS[kind]),
      });
    else miss(known, link, missing);
  }
  const candidates = takeCandidates(body, known, fallbackGroupId, faults, missing);
  const { values, faults: found } = parseRecord(tasks, body, stored === undefined);
  faults.push(...found);
  if (stored?.isAllowed === false)
    faults.push({ name: 'application', reason: reason('foreign-application') });
  if (typeof values.outcome === 'string') {
    const status = values.status ?? stored?.status ?? OPEN;
    const ofTask = (): unknown => JSON.parse(stored?.outcomes ?? '[]');
    const outcomes = (values.outcomes === undefined ? ofTask() : values.outcomes) ?? [];
    const message = faultOfChoice(values.outcome, { status, outcomes: outcomes as Outcome[] });
    if (message !== undefined) faults.push({ name: 'outcome', reason: message });
  }
  for (const [name, value] of Object.entries(values)) {
    const attribute = tasks.attributes.get(name)!;
    if (name in LINKS) columns[attribute.column] ??= null;
    else if (name === 'source' || name === 'reference' || name === 'candidates') continue;
    else
      columns[attribute.column] =
        value === null || faults.length > 0 ? null : attribute.toStored(value);
  }
  const elsewhere =
    unknown.length > 0 && !candidates?.length
      ? (columns.group_id ?? fallbackGroupId)
      : columns.group_id;
  // The digest includes the unknown names: once the directory knows them, the same item must count as changed.
  const suffix =
    unknown.length > 0 ? JSON.stringify([unknown, columns.assignee_id, elsewhere]) : '';
  // A task that has a group stays there.
  if (columns.group_id !== undefined || typeof stored?.groupId !== 'string')
    columns.group_id = elsewhere;
  // The fallback group held the task for an unknown assignee or candidate, and gives it up once the server knows one.
  const isKnown = unknown.length === 0 && Boolean(columns.assignee_id ?? candidates?.length);
  const isInFallback = stored?.hasUnknown === true && stored.groupId === fallbackGroupId;
  if (columns.group_id === undefined && isInFallback && isKnown) columns.group_id = null;
  const digest = digestOf(item);
  columns.source_digest = suffix === '' ? digest : hash('md5', digest + suffix, 'hex');
  return { columns, candidates, faults, ...missing };
}

/** Takes the candidates out of an item, which has them by name. Those whom the server does not know are left out. */
function takeCandidates(
  body: Values,
  known: KnownNames,
  fallbackGroupId: string | null,
  faults: InvalidField[],
  missing: Missing,
): Candidate[] | undefined {
  const given = body.candidates;
  delete body.candidates;
  if (given === undefined) return undefined;
  const links = Array.isArray(given)
    ? given.map((value) => linkIn(value, CANDIDATES))
    : given === null
      ? []
      : [undefined];
  if (links.length > MAX_CANDIDATES || links.includes(undefined)) {
    faults.push({
      name: 'candidates',
      reason: reason('not-names', { max: MAX_CANDIDATES, length: MAX_NAME }),
    });
    return undefined;
  }
  const found = new Map<string, Candidate>();
  for (const link of new Map((links as PushLink[]).map((one) => [one.key, one])).values()) {
    const user = known.idOf('users', link);
    const group = known.idOf('groups', link);
    if (user !== undefined && group !== undefined)
      faults.push({ name: 'candidates', reason: reason('user-and-group', { name: link.text }) });
    else if (user !== undefined) found.set(user, ['user_id', user]);
    else if (group !== undefined) found.set(group, ['group_id', group]);
    else if (fallbackGroupId === null)
      faults.push({
        name: 'candidates',
        reason: reasonOfUnknown(known, link, 'user or group'),
      });
    else miss(known, link, missing);
  }
  return [...found.values()];
}

function miss(known: KnownNames, link: PushLink, { unknown, inactive }: Missing): void {
  unknown.push(link.text);
  if (known.isInactive(link)) inactive.push(link.text);
}

const reasonOfUnknown = (known: KnownNames, link: PushLink, noun: string): Reason =>
  known.isInactive(link)
    ? reason('inactive-user', { name: link.text })
    : reason('unknown-name', { noun, value: link.text });

const NOUNS: Record<NamedKind, string> = {
  users: 'user',
  groups: 'group',
  applications: 'application',
};
