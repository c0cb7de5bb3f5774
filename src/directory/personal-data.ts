import type { Reader } from '../database/database.js';
import { notFound } from '../base/errors/api-errors.js';
import { folded, foldedValue } from '../resources/attributes/folded-text.js';
import { type AuditContext, recordAudit } from '../security/audit.service.js';
import { userUri } from '../security/user-uri.js';

/** All that is held about a person, by the table and the column that refer to the person. */
export type PersonalData = Record<string, unknown>;

/** The Ref of what a row links, for readers of the export: SQL of its reference. */
const referenceOf = (table: string, column: string): string =>
  `(SELECT o.reference FROM ${table} o WHERE o.id = t.${column})`;

const OF_TASK = `t.task_id, ${referenceOf('tasks', 'task_id')} AS task`;
const TASK = 't.id, t.reference, t.title, t.status, t.creation_date, t.completion_date';
const OF_APPLICATION = `${referenceOf('applications', 'application_id')} AS application`;

/**
 * What is exported of each reference to a person: the columns of the rows `t`. Null where there is nothing to export: the row
 * is a secret, or counts requests.
 */
export const EXPORTED: Record<string, string | null> = {
  'absences.substitute_id': `t.reference, t.user_id, ${OF_APPLICATION}, t.start_date, t.end_date`,
  'absences.user_id': `t.reference, t.substitute_id, ${OF_APPLICATION}, t.start_date, t.end_date`,
  'api_keys.user_id':
    't.name, t.prefix, t.addresses, t.permissions, t.expiration, t.last_use_date, t.last_use_address, t.creation_date',
  'application_audiences.user_id': OF_APPLICATION,
  'browser_sessions.user_id':
    't.address, t.user_agent, t.creation_date, t.last_use_date, t.expiration',
  'customer_audiences.user_id': `${referenceOf('customers', 'customer_id')} AS customer`,
  'customers.author_id': 't.reference, t.name',
  'directory_people.user_id': 't.dn',
  'document_audiences.user_id': `${referenceOf('documents', 'document_id')} AS document`,
  'documents.author_id': 't.reference, t.title',
  'endpoints.account_id': 't.reference, t.label',
  'faq_audiences.user_id': `${referenceOf('faqs', 'faq_id')} AS faq`,
  'faqs.author_id': 't.reference, t.question',
  'favourites.user_id': `${OF_APPLICATION}, t.position`,
  'group_members.user_id': `${referenceOf('groups', 'group_id')} AS "group"`,
  'idempotency_keys.user_id': null,
  'identities.user_id': 't.issuer, t.subject, t.creation_date',
  'invitations.user_id': 't.expiration',
  'known_addresses.user_id': 't.address, t.last_login_date, t.failures',
  'mail_settings.user_id': 't.digest, t.reminders',
  'missing_people.user_id': 't.missing_since',
  'news.author_id': 't.reference, t.title',
  'news_audiences.user_id': `${referenceOf('news', 'news_id')} AS news`,
  'organizations.manager_id': 't.reference, t.label',
  'password_history.user_id': null,
  'password_resets.user_id': 't.creation_date, t.expiration',
  'passwords.user_id': 't.modification_date',
  'photos.user_id': `t.media_type, encode(t.content, 'base64') AS content, t.modification_date`,
  'providers.service_account_id': 't.reference, t.label',
  'recovery_codes.user_id': null,
  'role_assignments.user_id': `${referenceOf('roles', 'role_id')} AS role, ${OF_APPLICATION},
    ${referenceOf('organizations', 'organization_id')} AS organization, ${referenceOf('groups', 'group_id')} AS "group", t.creation_date`,
  'second_step_resets.requester_id': 't.creation_date',
  'second_step_resets.user_id': 't.creation_date',
  'second_steps.user_id': 't.kind, t.name, t.creation_date, t.confirmation_date, t.last_use_date',
  'sign_ins.user_id': 't.last_login_date, t.failures, t.locked_until',
  'sources.service_account_id': 't.reference, t.label',
  'task_candidates.user_id': OF_TASK,
  'task_comments.author_id': `${OF_TASK}, t.text, t.date`,
  'task_comments.on_behalf_of_id': `${OF_TASK}, t.text, t.date`,
  'task_file_senders.user_id': 't.day, t.bytes',
  'task_files.author_id': `${OF_TASK}, t.name, t.size, t.date`,
  'task_filters.owner_id':
    't.reference, t.label, t.filters, t.filter_mode, t.sorter, t.shared_with_everyone, t.creation_date',
  'task_reminders.user_id': `${OF_TASK}, t.kind`,
  'tasks.assignee_id': TASK,
  'tasks.closed_by_id': `${TASK}, t.outcome, t.comment`,
  'tasks.closed_for_id': `${TASK}, t.outcome, t.comment`,
  'tokens.agent_id': null,
  'tokens.user_id': 't.address, t.creation_date, t.expiration',
  'unproven_emails.user_id': null,
  'users.manager_id': 't.id, t.login',
};

/** The columns of the row of a user that are kept for the server alone: search texts, and rights that roles name. */
const OF_SERVER = ['quick_search', 'search_title', 'rights'];

/** SQL of a state of the person; those of other objects are not about the person. */
const ofOwn = (state: string): string => `CASE WHEN object_uri = $1 THEN ${state} END AS ${state}`;

/**
 * Reads all that is held about a person, without secrets and what others did or are, and records that in the audit trail.
 * @throws ApiError 404
 */
export async function exportPersonalData(
  reader: Reader,
  auditContext: AuditContext,
  id: string,
): Promise<PersonalData> {
  const user = `SELECT to_jsonb(u) - '{${OF_SERVER.join()}}'::text[] AS value FROM users u WHERE u.id = $1`;
  const [row] = await reader.query<{ value: PersonalData }>({ text: user, values: [id] });
  if (!row) throw notFound();
  const data: PersonalData = { user: row.value };
  for (const [reference, columns] of Object.entries(EXPORTED)) {
    if (columns === null) continue;
    const [table, column] = reference.split('.');
    data[reference] = await reader.query({
      text: `SELECT ${columns} FROM ${table} t WHERE t.${column} = $1`,
      values: [id],
    });
  }
  data.mails = await reader.query({
    text: 'SELECT kind, attempts, creation_date, next_attempt FROM mails WHERE recipient IN ($1::text, $2)',
    values: [id, row.value.login],
  });
  data.audit = await reader.query({
    text: `SELECT date, action, actor_uri, object_uri, CASE WHEN actor_uri = $1 THEN address END AS address, reason,
        ${ofOwn('before')}, ${ofOwn('after')} FROM audit
      WHERE ${folded('actor_uri')} = ${foldedValue('$1')} OR ${folded('object_uri')} = ${foldedValue('$1')} ORDER BY id`,
    values: [userUri(id)],
  });
  await recordAudit(reader, auditContext, { action: 'export', objectUri: userUri(id) });
  return data;
}
