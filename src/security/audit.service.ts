import { Injectable } from '@nestjs/common';
import { renewParts } from '../database/parts.js';
import { Database, type Reader } from '../database/database.js';
import { Housekeeping } from '../database/housekeeping.js';
import { type Bind, Bindings } from '../database/bindings.js';
import { presentState } from './audit-state.js';
import type { Caller } from './caller.js';
import { userUri } from './user-uri.js';

/** The actor and the request, as the audit trail records them. */
export interface AuditContext {
  caller?: Pick<Caller, 'id' | 'login'> & Partial<Pick<Caller, 'agent'>>;
  /** The actor outside the API, e.g. `command line (root)`. */
  actor?: string;
  address?: string;
  /** The server's id of the request. */
  requestId?: string;
  /** The id that the caller sent. */
  callerRequestId?: string;
}

/** The actions that the audit trail records. */
export type AuditAction =
  | 'create'
  | 'update'
  | 'delete'
  | 'sign-in'
  | 'sign-out'
  | 'act-for'
  | 'refuse'
  | 'change-password'
  | 'confirm-password'
  | 'confirm-passkey'
  | 'add-second-step'
  | 'remove-second-step'
  | 'request-second-step-reset'
  | 'withdraw-second-step-reset'
  | 'renew-recovery-codes'
  | 'bind-identity'
  | 'unbind-identity'
  | 'end-sessions'
  | 'invite'
  | 'use-invitation'
  | 'revoke-invitation'
  | 'request-password-reset'
  | 'use-password-reset'
  | 'send-mail'
  | 'fail-mail'
  | 'fail-delivery'
  | 'block-endpoint'
  | 'unlock'
  | 'create-api-key'
  | 'delete-api-key'
  | 'set-photo'
  | 'delete-photo'
  | 'erase'
  | 'add-member'
  | 'remove-member'
  | 'set-parameter'
  | 'set-favourites'
  | 'set-mails'
  | 'import'
  | 'export'
  | 'seed'
  | 'backup'
  | 'restore';

/** One recorded action. `before` and `after` never contain secrets; long ones are cut when written. */
export interface AuditEntry {
  action: AuditAction;
  objectUri?: string;
  before?: unknown;
  after?: unknown;
}

/** One line of the audit trail: an action and its context. */
export interface AuditLine {
  auditContext: AuditContext;
  entry: AuditEntry;
}

/** Writes the audit trail, in the transaction of the action that it records. */
@Injectable()
export class AuditService {
  constructor(database: Database, housekeeping: Housekeeping) {
    housekeeping.perform(() => renewParts(database, ['add_audit_parts', 'drop_audit_parts']));
  }

  record(reader: Reader, auditContext: AuditContext, entry: AuditEntry): Promise<void> {
    return recordAudit(reader, auditContext, entry);
  }
}

/** The columns of a line, in the order in which its values are bound. */
const COLUMNS = [
  { name: 'action', type: 'text' },
  { name: 'actor_uri', type: 'text' },
  { name: 'actor_login', type: 'text' },
  { name: 'agent_uri', type: 'text' },
  { name: 'agent_login', type: 'text' },
  { name: 'object_uri', type: 'text' },
  { name: 'address', type: 'text' },
  { name: 'request_id', type: 'text' },
  { name: 'caller_request_id', type: 'text' },
  { name: 'before', type: 'jsonb' },
  { name: 'after', type: 'jsonb' },
];

/** The column that is always bound as an array with one value per line, so that its length is the number of lines. */
const PLACED = 'object_uri';

/** Writes one line; works without a running server. */
export async function recordAudit(
  reader: Reader,
  auditContext: AuditContext,
  entry: AuditEntry,
): Promise<void> {
  await recordAuditLines(reader, [{ auditContext, entry }]);
}

/** Lines that one statement inserts. */
const LINES = 1_000;

/** Records many changes. */
export async function recordAuditLines(reader: Reader, lines: AuditLine[]): Promise<void> {
  for (let start = 0; start < lines.length; start += LINES) {
    const { bind, values } = new Bindings();
    const text = insertAuditLines(lines.slice(start, start + LINES), bind);
    await reader.execute({ text, values });
  }
}

/**
 * The SQL that inserts lines.
 * @param condition on `place`, the number of a line from 1 on; by default all lines are inserted
 */
export function insertAuditLines(lines: AuditLine[], bind: Bind, condition = 'true'): string {
  const rows = lines.map(({ auditContext, entry }) => [
    entry.action,
    auditContext.caller ? userUri(auditContext.caller.id) : null,
    auditContext.caller?.login ?? auditContext.actor ?? null,
    auditContext.caller?.agent ? userUri(auditContext.caller.agent.id) : null,
    auditContext.caller?.agent?.login ?? null,
    entry.objectUri ?? null,
    auditContext.address ?? null,
    auditContext.requestId ?? null,
    auditContext.callerRequestId ?? null,
    entry.before === undefined ? null : presentState(entry.before),
    entry.after === undefined ? null : presentState(entry.after),
  ]);
  const columns = COLUMNS.map(({ name, type }, at) =>
    columnOf(
      name,
      type,
      rows.map((row) => row[at]!),
      bind,
    ),
  );
  const names = COLUMNS.map(({ name }) => name).join(', ');
  const sets = columns.flatMap(({ set }) => set ?? []).join(', ');
  const numbered = columns.flatMap(({ name, set }) => (set ? name : [])).join(', ');
  const selected = columns.map(({ value }) => value).join(', ');
  return `INSERT INTO audit (${names}) SELECT ${selected}
    FROM ROWS FROM (${sets}) WITH ORDINALITY AS line (${numbered}, place) WHERE ${condition}`;
}

/** A column of lines: the SQL of the set of its values, where it has one, and of its value in a line. */
interface LineColumn {
  name: string;
  set?: string;
  value: string;
}

/**
 * Binds values that all lines share once, and JSON as one array, because PostgreSQL's own arrays take time to write and
 * to parse.
 */
function columnOf(name: string, type: string, values: (string | null)[], bind: Bind): LineColumn {
  const [first] = values;
  if (name !== PLACED && values.every((value) => value === first))
    return { name, value: `${bind(first)}::${type}` };
  if (type === 'jsonb' && !values.includes(null))
    return { name, set: `jsonb_array_elements(${bind(`[${values.join()}]`)}::jsonb)`, value: name };
  return { name, set: `unnest(${bind(values)}::${type}[])`, value: name };
}
