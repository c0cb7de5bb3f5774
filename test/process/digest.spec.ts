import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { inHours, startTaskMailWorld, type TaskMailWorld } from '../support/task-mails.js';

/** The daily digest (docs/decisions/0045). */

let world: TaskMailWorld;
beforeAll(async () => {
  world = await startTaskMailWorld();
  // The demonstration has nothing to tell.
  await query(`UPDATE tasks SET due_date = NULL, creation_date = now() - interval '30 days'`);
  // It is always time for a digest.
  await world.set('mail.digestTime', '00:00');
  await world.set('mail.digest', true);
  await world.round();
});
afterAll(() => world.close());
afterEach(async () => {
  expect(world.mailbox.mails.map(({ to }) => to)).toEqual([]);
  // What one test made has nothing to tell in the next one.
  await query(`UPDATE tasks SET status = 'done'`);
});

const query = (text: string, values: unknown[] = []) => world.server.database.query(text, values);
const nextTo = (login: string) => world.mailbox.next(`${login}@portal.example`);
const stopLinkIn = ({ plain }: { plain: string }): string =>
  /^http\S+\/stop-mails\/\S+$/m.exec(plain)![0];
const subjectOf = ({ headers }: { headers: string }): string =>
  /^Subject: (.*(?:\r\n .*)*)/m.exec(headers)![1]!.replace(/\r\n /g, ' ');

/** Makes the day of the last digest yesterday. */
const nextDay = () =>
  query(
    `UPDATE task_mail_rounds SET digest_day = digest_day - 1, digest_start = digest_start - interval '1 day'`,
  );

/** A time zone in which it is this hour of the day now. */
function zoneAt(hour: number): string {
  const ahead = hour - new Date().getUTCHours();
  // No zone is more than 12 hours behind.
  const east = ahead < -12 ? ahead + 24 : ahead;
  if (east === 0) return 'Etc/GMT';
  return east > 0 ? `Etc/GMT-${east}` : `Etc/GMT+${-east}`;
}

/** Sets a time zone in which it is ten now, so that midnight is never near: due today and not overdue, and overdue. */
async function todayAt(): Promise<{ today: string; late: string }> {
  await world.set('display.timeZone', zoneAt(10));
  return { today: inHours(5), late: inHours(-24) };
}

const shown = (date: string, language: string, timeZone: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(date),
  );
const currentZone = async (): Promise<string> => {
  const [row] = await query(`SELECT value FROM parameters WHERE key = 'display.timeZone'`);
  return row!.value as string;
};

describe('the time zone of the digest', () => {
  const setByHand = (key: string, value: string) =>
    query(
      `INSERT INTO parameters (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2`,
      [key, value],
    );
  const longAgo = () => query('UPDATE task_mail_rounds SET digest_day = digest_day - 2');
  afterAll(async () => {
    await query(
      `DELETE FROM parameters WHERE key IN ('display.timeZone', 'mail.reminders', 'mail.reminderHours')`,
    );
    await world.set('mail.reminders', false);
  });

  it('is a place where PostgreSQL takes its name for another offset', async () => {
    // Neither place is near the end of its day when the other one is.
    const hour = new Date().getUTCHours();
    const [name, place] =
      hour >= 15 && hour <= 19 ? ['AST', 'America/Anchorage'] : ['IST', 'Asia/Kolkata'];
    await world.set('display.timeZone', name);
    const [row] = await query(
      `SELECT (((now() AT TIME ZONE $1)::date + 1)::timestamp AT TIME ZONE $1) AS end`,
      [place],
    );
    const end = new Date(row!.end as string).getTime();
    const assignee = await world.person('digest.place');
    for (const [title, minutes] of [
      ['Today', -1],
      ['Tomorrow', 1],
    ] as const)
      await world.task({
        title,
        assignee,
        dueDate: new Date(end + minutes * 60_000).toISOString(),
      });
    await longAgo();
    await world.round();
    expect(subjectOf(await nextTo('digest.place'))).toMatch(/: 1 due today, 1 new$/);
  });

  it.each([
    ['is known only to Node', () => world.set('display.timeZone', 'ECT')],
    ['is unknown', () => setByHand('display.timeZone', 'Mars/Olympus')],
    [
      'is valid and reminders fail',
      async () => {
        await world.set('display.timeZone', 'Europe/Paris');
        await setByHand('mail.reminderHours', 'many');
        await world.set('mail.reminders', true);
      },
    ],
  ])('sends digests although the time zone %s', async (what, prepare) => {
    const login = `digest.${what.replace(/\W+/g, '.')}`;
    await prepare();
    await world.task({ title: 'New', assignee: await world.person(login) });
    await longAgo();
    await world.round();
    expect(subjectOf(await nextTo(login))).toMatch(/: 1 new$/);
  });
});

describe('the digest', () => {
  it.each([
    [
      'en',
      'en-GB',
      (links: string[], [late, today]: [string, string]) => ({
        subject: `Your tasks at ${new URL(world.origin).host}: 1 overdue, 1 due today, 1 new`,
        plain: `Hello digest.en,

These tasks are waiting for you.

Overdue (1)

- Late
  Purchase orders · due ${late}
  ${links[0]}

Due today (1)

- Today
  Purchase orders · due ${today}
  ${links[1]}

New (1)

- Fresh
  Purchase orders
  ${links[2]}

${world.origin}/workplace/tasks

You get this e-mail at most once a day, and only when there is something to tell.

Stop the daily digest
`,
      }),
    ],
    [
      'fr',
      'fr',
      (links: string[], [late, today]: [string, string]) => ({
        subject: '',
        plain: `Bonjour digest.fr,

Ces tâches vous attendent.

En retard (1)

- Late
  Commandes d’achat · échéance le ${late}
  ${links[0]}

À échéance aujourd’hui (1)

- Today
  Commandes d’achat · échéance le ${today}
  ${links[1]}

Nouvelles (1)

- Fresh
  Commandes d’achat
  ${links[2]}

${world.origin}/workplace/tasks

Vous recevez ce message une fois par jour au plus, et seulement s’il y a du nouveau.

Ne plus recevoir le récapitulatif du jour
`,
      }),
    ],
  ])(
    'lists overdue, due and new tasks in the language %s, once a day',
    async (locale, language, make) => {
      const assignee = await world.person(`digest.${locale}`, { locale });
      const { today, late } = await todayAt();
      const zone = await currentZone();
      const ids = [
        await world.task({ title: 'Late', assignee, dueDate: late }),
        await world.task({ title: 'Today', assignee, dueDate: today }),
        await world.task({ title: 'Fresh', assignee }),
      ];
      const old = await world.task({ title: 'Old', assignee, dueDate: inHours(72) });
      const done = await world.task({ title: 'Done', assignee });
      await query(`UPDATE tasks SET creation_date = now() - interval '5 days' WHERE id <> $1`, [
        ids[2],
      ]);
      await query(`UPDATE tasks SET status = 'done' WHERE id = $1`, [done]);
      await nextDay();
      await world.round();
      const mail = await nextTo(`digest.${locale}`);
      const links = ids.map((id) => `${world.origin}/workplace/tasks/${id}`);
      const dates: [string, string] = [shown(late, language, zone), shown(today, language, zone)];
      const { subject, plain } = make(links, dates);
      expect(mail.plain).toBe(`${plain}${stopLinkIn(mail)}\n`);
      if (subject !== '') expect(subjectOf(mail)).toBe(subject);
      expect(mail.plain).not.toContain(`/tasks/${old}`);
      await world.round();
      await world.round();
      expect(world.mailbox.mails.map(({ to }) => to)).toEqual([]);
      // The next day tells of what is still overdue.
      await query(`UPDATE tasks SET status = 'done' WHERE id = ANY ($1)`, [ids.slice(1)]);
      await nextDay();
      await world.round();
      expect((await nextTo(`digest.${locale}`)).plain.match(/^- .*$/gm)).toEqual(['- Late']);
    },
  );

  it('is not sent without tasks to list, or before its time', async () => {
    const assignee = await world.person('digest.nothing');
    await world.task({ title: 'Far away', assignee, dueDate: inHours(100) });
    await query(
      `UPDATE tasks SET creation_date = now() - interval '5 days' WHERE assignee_id = $1`,
      [assignee],
    );
    await nextDay();
    await world.round();
    await todayAt();
    await world.set('mail.digestTime', '23:59');
    await world.task({ title: 'Fresh', assignee });
    await nextDay();
    await world.round();
    expect(world.mailbox.mails.map(({ to }) => to)).toEqual([]);
    await world.set('mail.digestTime', '00:00');
    await world.round();
    await nextTo('digest.nothing');
  });

  it('is sent after midnight where its time is shortly before, and not in the middle of the night', async () => {
    const assignee = await world.person('digest.midnight');
    await world.task({ title: 'Fresh', assignee });
    await world.set('mail.digestTime', '23:59');
    const yesterday = () =>
      query(
        `UPDATE task_mail_rounds SET digest_day = (now() AT TIME ZONE 'UTC')::date - 3, digest_start = now() - interval '1 day'`,
      );
    await world.set('display.timeZone', zoneAt(3));
    await yesterday();
    await world.round();
    expect(world.mailbox.mails.map(({ to }) => to)).toEqual([]);
    await world.set('display.timeZone', zoneAt(0));
    await world.round();
    await nextTo('digest.midnight');
    await world.set('mail.digestTime', '00:00');
    await todayAt();
  });

  it('lists tasks that wait for a group or for candidates, but not those that a person has claimed', async () => {
    const [member, candidate, other] = [
      await world.person('digest.member'),
      await world.person('digest.candidate'),
      await world.person('digest.other'),
    ];
    const made = await world.call('POST', '/api/v2/directory/groups', { label: 'Readers' });
    const group = made.body.id as string;
    for (const user of [member, other])
      await world.call('PUT', `/api/v2/directory/groups/${group}/members/${user}`);
    await world.task({ title: 'For the group', group });
    await world.task({ title: 'For candidates', candidates: [`/directory/users/${candidate}`] });
    await world.task({ title: 'Taken', group, assignee: other });
    await nextDay();
    await world.round();
    const titlesTo = async (login: string) => (await nextTo(login)).plain.match(/^- .*$/gm);
    expect(await titlesTo('digest.member')).toEqual(['- For the group']);
    expect(await titlesTo('digest.candidate')).toEqual(['- For candidates']);
    expect(await titlesTo('digest.other')).toEqual(['- For the group', '- Taken']);
  });

  it('lists twenty tasks and the first of each further part, and counts the others', async () => {
    const assignee = await world.person('digest.lots');
    for (let at = 1; at <= 22; at++)
      await world.task({ title: `Late ${at}`, assignee, dueDate: inHours(-at) });
    for (let at = 1; at <= 3; at++) await world.task({ title: `New ${at}`, assignee });
    await nextDay();
    await world.round();
    const { plain } = await nextTo('digest.lots');
    expect(plain.match(/^- .*$/gm)).toEqual([
      ...Array.from({ length: 20 }, (_, at) => `- Late ${22 - at}`),
      '- New 1',
    ]);
    expect(plain.match(/^.*\(\d+\)$/gm)).toEqual(['Overdue (22)', 'New (3)']);
    expect(plain).toContain('\n\nand 4 more\n\n');
  });

  it('omits tasks closed while it waits for the SMTP server, and is dropped when none is left', async () => {
    const assignee = await world.person('digest.waits');
    const id = await world.task({ title: 'Soon closed', assignee });
    world.mailbox.failures.push({ status: 451, message: 'try again later' });
    await nextDay();
    const sent = world.round();
    await eventually(() => expect(world.mailbox.failures).toEqual([]));
    await world.change(id, { status: 'done' });
    await query('UPDATE mails SET next_attempt = now()');
    await sent;
    expect(world.mailbox.mails.map(({ to }) => to)).toEqual([]);
  });

  it('goes to all people once, in slices, when the process that began the day has died', async () => {
    // More people than two slices.
    await query(
      `INSERT INTO users (login, last_name, title, email, status)
       SELECT 'many.' || n, 'Many', 'Many ' || n, 'many.' || n || '@portal.example', 1 FROM generate_series(1, 1100) AS n`,
    );
    await query(
      `INSERT INTO tasks (title, application_id, assignee_id)
       SELECT 'Work', $1, id FROM users WHERE login LIKE 'many.%0'`,
      [world.application],
    );
    await query(`UPDATE users SET email = NULL WHERE login NOT LIKE 'many.%'`);
    await nextDay();
    // A process began the day, queued the first people, and died.
    const [half] = await query(`SELECT id FROM users WHERE login = 'many.300'`);
    await query(
      `UPDATE task_mail_rounds SET digest_day = now() AT TIME ZONE $1, new_since = now() - interval '1 day', after_user = $2`,
      [await currentZone(), half!.id],
    );
    await query(
      `INSERT INTO mails (kind, recipient, bulk) SELECT 'digest', id::text, true FROM users WHERE login LIKE 'many.%0' AND id <= $1`,
      [half!.id],
    );
    await world.round();
    await world.round();
    const all = world.mailbox.mails.splice(0).map(({ to }) => to[0]);
    expect([all.length, new Set(all).size]).toEqual([110, 110]);
  });

  it('is not sent to people whose account is not active or who have stopped it', async () => {
    const [inactive, stopped] = [
      await world.person('digest.inactive'),
      await world.person('digest.stopped'),
    ];
    for (const assignee of [inactive, stopped]) await world.task({ title: 'Fresh', assignee });
    await query('UPDATE users SET status = 0 WHERE id = $1', [inactive]);
    await world.call('PUT', `/api/v2/directory/users/${stopped}/mail-settings`, {
      digest: false,
      reminders: true,
    });
    await nextDay();
    await world.round();
  });
});
