import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { inHours, startTaskMailWorld, TASKS, type TaskMailWorld } from '../support/task-mails.js';

/** Reminders of tasks by mail (docs/decisions/0045). */

let world: TaskMailWorld;
beforeAll(async () => {
  world = await startTaskMailWorld();
  // No task of the demonstration is due in the future of a test, or was a moment ago.
  await world.server.database.query('UPDATE tasks SET due_date = NULL');
  await world.set('mail.reminders', true);
});
afterAll(() => world.close());
afterEach(() => expect(world.mailbox.mails.map(({ to }) => to)).toEqual([]));

const query = (text: string, values: unknown[] = []) => world.server.database.query(text, values);
const nextTo = (login: string) => world.mailbox.next(`${login}@portal.example`);
const subjectOf = ({ headers }: { headers: string }): string =>
  /^Subject: (.*(?:\r\n .*)*)/m.exec(headers)![1]!;
const stopLinkIn = ({ plain }: { plain: string }): string =>
  /^http\S+\/stop-mails\/\S+$/m.exec(plain)![0];
/** As mails show it in English. */
const shown = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(date));

describe('reminders', () => {
  it('reach the assignee of a task once when it is due soon, and once when it is overdue', async () => {
    const assignee = await world.person('remind.one', { firstName: 'Mia', lastName: 'One' });
    const due = inHours(20);
    const id = await world.task({ title: 'Sign the <contract>', assignee, dueDate: due });
    await world.round();
    const soon = await nextTo('remind.one');
    expect(subjectOf(soon)).toBe('Due soon: Sign the <contract>');
    expect(soon.plain).toBe(`Hello Mia One,

These tasks are assigned to you.

Due soon (1)

- Sign the <contract>
  Purchase orders · due ${shown(due)}
  ${world.origin}/workplace/tasks/${id}

${world.origin}/workplace/tasks

A task has at most two reminders: before it is due, and once it is overdue.

Stop the reminders
${stopLinkIn(soon)}
`);
    expect(soon.html).toContain(
      `<a href="${world.origin}/workplace/tasks/${id}" style="color:#3a53d0">Sign the &#60;contract&#62;</a>`,
    );
    await world.round();
    await world.change(id, { dueDate: inHours(-1) });
    await world.round();
    const overdue = await nextTo('remind.one');
    expect(subjectOf(overdue)).toBe('Overdue: Sign the <contract>');
    await world.round();
    // Not again for another due date, nor when it is open again.
    await world.change(id, { dueDate: inHours(3) });
    await world.round();
    await world.change(id, { status: 'done' });
    await world.change(id, { status: 'open', dueDate: inHours(-2) });
    await world.round();
  });

  it('share a mail for one person, overdue ones first', async () => {
    const assignee = await world.person('remind.many', { locale: 'fr' });
    await world.task({ title: 'Soon', assignee, dueDate: inHours(5) });
    await world.task({ title: 'Late', assignee, dueDate: inHours(-5) });
    await world.round();
    const { headers, plain } = await nextTo('remind.many');
    expect(headers).toContain('Content-Language: fr');
    expect(plain.match(/^- .*$|^En retard.*$|^Bientôt.*$/gm)).toEqual([
      'En retard (1)',
      '- Late',
      'Bientôt à échéance (1)',
      '- Soon',
    ]);
  });

  it('list twenty tasks, and count the others', async () => {
    const assignee = await world.person('remind.lots');
    for (let at = 1; at <= 23; at++)
      await world.task({ title: `Task ${at}`, assignee, dueDate: inHours(at / 60 + 1) });
    await world.round();
    const { headers, plain } = await nextTo('remind.lots');
    expect(subjectOf({ headers })).toBe('23 tasks are overdue or due soon');
    expect([plain.match(/^- Task \d+$/gm)?.length, plain.includes('\n\nand 3 more\n\n')]).toEqual([
      20,
      true,
    ]);
  });

  it('come as many hours before the due date as the parameter says', async () => {
    const assignee = await world.person('remind.hours');
    await world.task({ title: 'In three days', assignee, dueDate: inHours(72) });
    await world.round();
    await world.set('mail.reminderHours', 0);
    await world.task({ title: 'In an hour', assignee, dueDate: inHours(1) });
    await world.round();
    await world.set('mail.reminderHours', 73);
    await world.round();
    await nextTo('remind.hours');
    await world.set('mail.reminderHours', 24);
  });

  it.each<[string, object]>([
    ['no e-mail address', { email: null }],
    ['an account that is not active', { status: 0 }],
  ])('are not sent to people with %s', async (_, attributes) => {
    const assignee = await world.person(`remind.${Object.keys(attributes)[0]}`, attributes);
    await world.task({ title: 'Never heard of', assignee, dueDate: inHours(-1) });
    await world.round();
  });

  it('leave out tasks that are overdue for more than three days', async () => {
    const assignee = await world.person('remind.old');
    await world.task({ title: 'Forgotten', assignee, dueDate: inHours(-73) });
    await world.round();
  });

  it('are not sent while the parameter is off, or to a person who has stopped them', async () => {
    const assignee = await world.person('remind.off');
    await world.task({ title: 'Quiet', assignee, dueDate: inHours(-1) });
    await world.set('mail.reminders', false);
    await world.round();
    await world.set('mail.reminders', true);
    const settings = `/api/v2/directory/users/${assignee}/mail-settings`;
    await world.call('PUT', settings, { digest: true, reminders: false });
    await world.round();
    await world.call('PUT', settings, { digest: false, reminders: true });
    await world.round();
    await nextTo('remind.off');
  });
});

describe('reminders that wait for the SMTP server', () => {
  /** Decides, and lets the first attempt to send fail. */
  async function fail(): Promise<void> {
    world.mailbox.failures.push({ status: 451, message: 'try again later' });
    const done = world.round();
    await eventually(() => expect(world.mailbox.failures).toEqual([]));
    return done;
  }
  const hurry = () => query('UPDATE mails SET next_attempt = now()');
  it('leave out a task that was closed meanwhile', async () => {
    const assignee = await world.person('wait.closed');
    const id = await world.task({ title: 'Closed', assignee, dueDate: inHours(-1) });
    const stays = await world.task({ title: 'Stays', assignee, dueDate: inHours(-1) });
    const sent = fail();
    await eventually(() => expect(world.mailbox.failures).toEqual([]));
    await world.change(id, { status: 'done' });
    await hurry();
    await sent;
    const { plain } = await nextTo('wait.closed');
    expect(plain.match(/^- .*$/gm)).toEqual(['- Stays']);
    await world.change(stays, { status: 'done' });
    expect(await query('SELECT 1 FROM task_reminders WHERE user_id IS NOT NULL')).toEqual([]);
  });

  it('are not sent to the former assignee of a task, but to the new one', async () => {
    const [former, later] = [await world.person('wait.former'), await world.person('wait.later')];
    const id = await world.task({ title: 'Passed on', assignee: former, dueDate: inHours(-1) });
    // Decided by a process that died before it sent anything.
    await query(
      `WITH decided AS (INSERT INTO task_reminders (task_id, kind, user_id) VALUES ($1, 'overdue', $2))
       INSERT INTO mails (kind, recipient, bulk, next_attempt) VALUES ('reminder', $2, true, now() + interval '1 hour')`,
      [id, former],
    );
    await world.change(id, { assignee: later });
    await hurry();
    await world.round();
    await world.round();
    const { plain } = await nextTo('wait.later');
    expect(plain).toContain('- Passed on\n');
  });
});

describe('a title', () => {
  it('adds no header and no line to a mail', async () => {
    const assignee = await world.person('remind.evil');
    const id = await world.task({ title: 'Evil', assignee, dueDate: inHours(-1) });
    await query('UPDATE tasks SET title = $2 WHERE id = $1', [
      id,
      'Evil\r\nBcc: thief@portal.example\r\n\r\n- Approved',
    ]);
    await world.round();
    const mail = await nextTo('remind.evil');
    expect(subjectOf(mail)).toBe('Overdue: Evil Bcc: thief@portal.example - Approved');
    expect(mail.headers).not.toMatch(/^Bcc/im);
    expect(mail.to).toEqual(['remind.evil@portal.example']);
    expect(mail.plain.match(/^- .*$/gm)).toEqual(['- Evil Bcc: thief@portal.example - Approved']);
    expect((await world.call('DELETE', `${TASKS}/${id}`)).status).toBe(204);
  });
});
