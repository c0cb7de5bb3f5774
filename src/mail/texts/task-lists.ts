import {
  DIGEST_PARTS,
  type MailContent,
  type MailedTask,
  type MailList,
  REMINDERS,
  type TaskMailValues,
} from '../mail.js';

/** The texts of the mails about tasks in one language. */
export interface TaskTexts<Part extends string> {
  subject(values: TaskMailValues<Part>): string;
  greeting(name: string): string;
  lead: string;
  headings: Record<Part, string>;
  due(moment: string): string;
  more(count: number): string;
  openInbox: string;
  ending: string;
  stop: string;
}

const PARTS: readonly string[] = [...REMINDERS, ...DIGEST_PARTS];

/** The parts that have tasks, in their order. */
export const filledParts = <Part extends string>(values: TaskMailValues<Part>): Part[] =>
  (Object.keys(values.parts) as Part[])
    .filter((part) => values.parts[part].count > 0)
    .sort((one, other) => PARTS.indexOf(one) - PARTS.indexOf(other));

/** The number of all tasks of a mail. */
export const countOf = <Part extends string>(values: TaskMailValues<Part>): number =>
  filledParts(values).reduce((sum, part) => sum + values.parts[part].count, 0);

/** The only task of a mail; undefined where it has more. */
export const onlyTask = <Part extends string>(
  values: TaskMailValues<Part>,
): MailedTask | undefined =>
  countOf(values) === 1
    ? filledParts(values).flatMap((part) => values.parts[part].tasks)[0]
    : undefined;

/** Writes a mail about tasks: a list under a heading for each part, and the number of further tasks. */
export function taskMail<Part extends string>(
  values: TaskMailValues<Part>,
  texts: TaskTexts<Part>,
): MailContent {
  const lists = filledParts(values).map((part): MailList => {
    const { count, tasks } = values.parts[part];
    return {
      heading: `${texts.headings[part]} (${count})`,
      items: tasks.map(({ title, application, due, address }) => ({
        title,
        details: due === null ? application : `${application} · ${texts.due(due)}`,
        address,
      })),
    };
  });
  const more = countOf(values) - lists.reduce((sum, { items }) => sum + items.length, 0);
  return {
    subject: texts.subject(values),
    greeting: texts.greeting(values.name),
    paragraphs: [texts.lead],
    lists,
    ...(more > 0 && { more: texts.more(more) }),
    button: { label: texts.openInbox, address: values.inbox },
    ending: texts.ending,
    stop: { label: texts.stop, address: values.stop },
  };
}
