import type { Config } from '../../base/config/config.js';
import type { Addressee } from '../../directory/account-mail.js';
import { momentFormat, onOneLine } from '../../mail/formats.js';
import type { Mail, MailedTask, MailedTasks, MailValuesOf, TaskMailKind } from '../../mail/mail.js';
import { contentOf } from '../../mail/texts/texts.js';
import { taskPage } from '../tasks/task-page.js';
import { translated } from '../../resources/attributes/translations-attribute.js';
import { brandingOf } from '../../security/parameters/branding.js';
import type { ParameterValues } from '../../security/parameters/parameters.service.js';
import { userUri } from '../../security/user-uri.js';

/** Most tasks that a mail lists, besides the first of each part; it counts the others. */
const MAX_LISTED = 20;

/** A task as the statements of the mails read it. */
export interface TaskRow<Part extends string> {
  id: string;
  title: string;
  application: string;
  dueDate: string | null;
  part: Part;
  /** How many tasks the part has. */
  count: number;
}

/**
 * SQL of the tasks that a mail lists, as `TaskRow`.
 * @param tasks what follows FROM: tasks `t` and what joins them
 * @param part SQL of the part of a task
 * @param parts in the order of the mail
 * @param locale SQL of the language of the person
 */
export const listedTasks = (
  tasks: string,
  part: string,
  parts: readonly string[],
  locale: string,
): string =>
  `WITH found AS (
    SELECT t.id, t.title, t.due_date, t.application_id, ${part} AS part FROM ${tasks}
  ), placed AS (
    SELECT f.*, (count(*) OVER (PARTITION BY part))::int AS count,
      row_number() OVER (PARTITION BY part ORDER BY due_date, id) AS place,
      row_number() OVER (ORDER BY array_position('{${parts.join()}}', part), due_date, id) AS place_in_mail
    FROM found f
  )
  SELECT p.id, p.title, ${translated('a', 'title', locale)} AS application, p.due_date AS "dueDate", p.part, p.count
  FROM placed p JOIN applications a ON a.id = p.application_id
  WHERE p.place_in_mail <= ${MAX_LISTED} OR p.place = 1 ORDER BY p.place_in_mail`;

/** The content of a mail about tasks. */
interface TaskMail<Kind extends TaskMailKind, Part extends string> {
  kind: Kind;
  to: Addressee;
  parts: readonly Part[];
  rows: TaskRow<Part>[];
  /** The path under which the person stops such mails, below the root of the server. */
  stopPath: string;
}

/** Writes a mail about tasks, in the language of the person and with dates in the time zone of the installation. */
export function writeTaskMail<Kind extends TaskMailKind, Part extends string>(
  { kind, to, parts, rows, stopPath }: TaskMail<Kind, Part>,
  { env }: Config,
  parameters: ParameterValues,
): Mail {
  const { origin, host } = new URL(env.PUBLIC_URL!);
  const root = `${origin}${env.BASE_PATH}`;
  const branding = brandingOf(parameters);
  const moment = momentFormat(to.locale, parameters.timeZone);
  const present = ({ id, title, application, dueDate }: TaskRow<Part>): MailedTask => ({
    title: onOneLine(title),
    application: onOneLine(application),
    due: dueDate && moment.format(new Date(dueDate)),
    address: taskPage(id, root),
  });
  const tasksOf = (part: Part): MailedTasks => {
    const own = rows.filter((row) => row.part === part);
    return { count: own[0]?.count ?? 0, tasks: own.map(present) };
  };
  const values = {
    name: onOneLine(to.title),
    place: branding.name || host,
    parts: Object.fromEntries(parts.map((part) => [part, tasksOf(part)])),
    inbox: `${root}/workplace/tasks`,
    stop: `${root}${stopPath}`,
  };
  return {
    to: { name: to.title, address: to.email },
    locale: to.locale,
    content: contentOf(kind, to.locale, values as unknown as MailValuesOf[Kind]),
    branding,
    objectUri: userUri(to.id),
  };
}
