import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/call.js';
import { idOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** The inbox: every open task that waits for a person or for one of the person's groups. */

const TASKS = '/api/v2/process/tasks';
const INBOX = `${TASKS}/waiting`;

interface Task {
  id: string;
  title: string;
  application: { id: string } | null;
  applicationTitle: string;
  assignee: { id: string } | null;
  group: { id: string } | null;
  status: string;
  dueDate: string | null;
}

interface Counts {
  count: number;
  overdue: number;
  applications: { application: { id: string } | null; title: string; count: number }[];
}

let writing: WritingServer;
let server: WritingServer['server'];
let call: WritingServer['call'];
let create: WritingServer['create'];
let bruno: string;
let brunosId: string;
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server, call, create, bruno } = writing);
  brunosId = await idOf(server, 'users', 'bruno.keller');
});
afterAll(() => writing.close());

const inbox = async (token: string, parameters: Record<string, string | string[]> = {}) => {
  const path = INBOX + query({ range: '0-500', ...parameters });
  const answer = await call('GET', path, undefined, { token, headers: { Prefer: 'count=exact' } });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return { tasks: answer.body as Task[], total: Number(answer.headers['x-total-count']) };
};

const countsOf = async (token: string): Promise<Counts> =>
  (await call('GET', `${INBOX}/counts`, undefined, { token })).body as Counts;

/** An application that only alice.martin sees, with a task for Bruno. */
async function hiddenApplication(title: string) {
  const audience = [await idOf(server, 'users', 'alice.martin')];
  const application = await create('/api/v2/navigation/applications', {
    title,
    type: 'PROCESS',
    audience,
  });
  const task = await create(TASKS, {
    title: `A task of ${title}`,
    application: application.uri,
    assignee: brunosId,
    dueDate: '2020-01-01T00:00:00.000Z',
  });
  return { application, task };
}

describe('GET /api/v2/process/tasks/waiting', () => {
  it('lists the open tasks of the caller and of the caller’s groups, and no others', async () => {
    const me = await call('GET', '/api/v2/directory/users/me', undefined, { token: bruno });
    const groups = (me.body.groups as { id: string }[]).map(({ id }) => id);
    const all = (await call('GET', `${TASKS}?range=0-500`)).body as Task[];
    const expected = all.filter(
      ({ status, assignee, group }) =>
        status === 'open' && (assignee?.id === brunosId || groups.includes(group?.id ?? '')),
    );
    const { tasks, total } = await inbox(bruno);
    const dueFirst = (a: Task, b: Task) =>
      (a.dueDate ?? '9').localeCompare(b.dueDate ?? '9') || Number(a.id) - Number(b.id);
    expect(tasks.map(({ id }) => id)).toEqual(expected.sort(dueFirst).map(({ id }) => id));
    expect(total).toBe(expected.length);
    expect(tasks.some(({ assignee }) => assignee)).toBe(true);
    expect(tasks.some(({ group }) => group)).toBe(true);
  });

  it('lists only the own tasks of an administrator and of a process engine', async () => {
    for (const login of ['alice.martin', 'process.engine']) {
      const [row] = await server.database.query<{ count: number }>(
        `SELECT count(*)::int FROM tasks t, users u WHERE u.login = $1 AND t.status = 'open'
           AND (t.assignee_id = u.id OR t.group_id IN (SELECT group_id FROM group_members WHERE user_id = u.id))`,
        [login],
      );
      expect((await inbox(await server.signIn(login))).total).toBe(row!.count);
    }
  });

  it('filters by the caller and the caller’s groups with the placeholders of views', async () => {
    const [own, other] = [
      await create('/api/v2/directory/groups', { label: 'Placeholders' }),
      await create('/api/v2/directory/groups', { label: 'Not mine' }),
    ];
    await call('PUT', `/api/v2${own.uri}/members/${brunosId}`);
    const application = await create('/api/v2/navigation/applications', {
      title: 'Placeholders',
      type: 'PROCESS',
    });
    const task = (title: string, group: string | null, assignee: string | null) =>
      create(TASKS, { title, application: application.uri, group, assignee });
    await task('mine', null, brunosId);
    await task('of my group', own.uri, null);
    await task('mine in my group', own.uri, brunosId);
    await task('mine in another group', other.uri, brunosId);
    const titles = async (filter: string) =>
      (
        await inbox(bruno, {
          filters: [filter, `application:eq:${application.id}`],
          sorter: 'title',
        })
      ).tasks.map(({ title }) => title);
    expect(await titles('group:eq:@mygroups')).toEqual(['mine in my group', 'of my group']);
    expect(await titles('group:neq:@mygroups')).toEqual(['mine', 'mine in another group']);
    expect(await titles('assignee:eq:@me')).toEqual([
      'mine',
      'mine in another group',
      'mine in my group',
    ]);
    expect(await titles('assignee:neq:@me')).toEqual(['of my group']);
    const wrong = await call('GET', `${TASKS}?filters=group:eq:@me`, undefined, { token: bruno });
    expect([wrong.status, wrong.body]).toMatchObject([
      400,
      {
        fields: [
          {
            name: 'filters',
            message:
              'group: use assignee with @me, group with @mygroups, each alone with eq or neq',
          },
        ],
      },
    ]);
  });

  it('takes the parameters of a list', async () => {
    const { tasks } = await inbox(bruno, { sorter: '-dueDate', filters: 'dueDate:isnotempty' });
    const dates = tasks.map(({ dueDate }) => dueDate!);
    expect(dates).toEqual([...dates].sort().reverse());
    const done = await inbox(bruno, {
      filters: ['status:eq:done', 'status:eq:cancelled'],
      filterMode: 'or',
    });
    expect(done.tasks).toEqual([]);
    const page = await call('GET', `${INBOX}?range=0-1`, undefined, { token: bruno });
    expect(page.headers.link).toContain('rel="next"');
    const unknown = await call('GET', `${INBOX}?filters=nothing:eq:1`, undefined, { token: bruno });
    expect(unknown.status).toBe(400);
  });
});

describe('the title of a task’s application', () => {
  it('is shown and found where the application is hidden, and cannot be sorted by', async () => {
    const { application, task } = await hiddenApplication('Ümzug 2027');
    const shown = await call('GET', `${TASKS}/${task.id}`, undefined, { token: bruno });
    expect(shown.body).toMatchObject({ application: null, applicationTitle: 'Ümzug 2027' });
    const found = async (...filters: string[]) =>
      (await inbox(bruno, { filters })).tasks.map(({ id }) => id);
    expect(await found('applicationTitle:eq:umzug 2027')).toEqual([task.id]);
    expect(await found('applicationTitle:contains:mzug')).toEqual([task.id]);
    expect(await found(`id:eq:${task.id}`, 'applicationTitle:neq:Ümzug 2027')).toEqual([]);
    expect(await found(`id:eq:${task.id}`, 'applicationTitle:isempty')).toEqual([]);
    expect(await found(`application:eq:${application.id}`)).toEqual([]);
    const sorted = await call('GET', `${INBOX}?sorter=applicationTitle`);
    expect([sorted.status, sorted.body.fields[0].name]).toEqual([400, 'sorter']);
  });

  it('is shown, found and counted in the language of the account', async () => {
    const { application, task } = await hiddenApplication('Removal 2028');
    const translations = { fr: { title: 'Déménagement 2028' } };
    const path = `/api/v2${application.uri}`;
    expect(
      (await call('PATCH', path, [{ op: 'add', path: '/translations', value: translations }]))
        .status,
    ).toBe(200);
    const speak = async (locale: string) =>
      expect(
        (
          await call(
            'PATCH',
            '/api/v2/directory/users/me',
            [{ op: 'replace', path: '/locale', value: locale }],
            { token: bruno },
          )
        ).status,
      ).toBe(200);
    const seen = async () => {
      const { body } = await call('GET', `${TASKS}/${task.id}`, undefined, { token: bruno });
      const user = await inbox(bruno, { filters: `id:eq:${task.id}`, responseMode: 'user' });
      const { applications } = await countsOf(bruno);
      return {
        detailed: body.applicationTitle as string,
        displayed: user.tasks[0]!.applicationTitle,
        counted: applications.filter(({ title }) => title.endsWith('2028')),
      };
    };
    const found = async (filter: string) =>
      (await inbox(bruno, { filters: [`id:eq:${task.id}`, filter] })).tasks.length;
    for (const [locale, title, other] of [
      ['fr', 'Déménagement 2028', 'Removal 2028'],
      ['de', 'Removal 2028', 'Déménagement 2028'],
      ['en', 'Removal 2028', 'Déménagement 2028'],
    ] as const) {
      await speak(locale);
      expect(await seen()).toEqual({
        detailed: title,
        displayed: title,
        counted: [{ application: null, title, count: 1 }],
      });
      expect([locale, await found(`applicationTitle:eq:${title}`)]).toEqual([locale, 1]);
      expect([locale, await found(`applicationTitle:eq:${other}`)]).toEqual([locale, 0]);
      expect([locale, await found(`applicationTitle:neq:${other}`)]).toEqual([locale, 1]);
    }
  });

  it('cannot be written', async () => {
    const { task } = await hiddenApplication('Fusion');
    const body = [{ op: 'replace', path: '/applicationTitle', value: 'Another' }];
    expect((await call('PATCH', `${TASKS}/${task.id}`, body)).status).toBe(400);
  });
});

describe('the warning about a task for a person who does not see its application', () => {
  const make = async (application: unknown, more: object) => {
    const body = { title: 'Warned', application, ...more };
    const answer = await call('POST', TASKS, body, { token: writing.engine });
    expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
    return { id: answer.body.id as string, warning: answer.headers['x-warning'] };
  };

  it('names the application and the person, to a process engine and an administrator', async () => {
    const { application } = await hiddenApplication('Reorganization');
    const warning = `${application.uri} is hidden from /directory/users/${brunosId}`;
    const made = await make(application.uri, { assignee: brunosId });
    expect(made.warning).toBe(warning);
    const body = [{ op: 'replace', path: '/priority', value: 3 }];
    const changed = await call('PATCH', `${TASKS}/${made.id}`, body);
    expect([changed.status, changed.headers['x-warning']]).toEqual([200, warning]);
  });

  it('names a group of which a member does not see the application', async () => {
    const { application } = await hiddenApplication('Restructuring');
    const group = await idOf(server, 'groups', 'HIRING');
    expect((await make(application.uri, { group })).warning).toBe(
      `${application.uri} is hidden from a member of /directory/groups/${group}`,
    );
    const hiring = await idOf(server, 'applications', 'HIRING');
    expect((await make(hiring, { group })).warning).toBeUndefined();
  });

  it('is absent where the person sees the application, and where the task is closed', async () => {
    const travel = await idOf(server, 'applications', 'TRAVEL');
    expect((await make(travel, { assignee: brunosId })).warning).toBeUndefined();
    const { application } = await hiddenApplication('Outsourcing');
    const done = await make(application.uri, { assignee: brunosId, status: 'done' });
    expect(done.warning).toBeUndefined();
  });

  it('is kept from the assignee, to whom it would name the hidden application', async () => {
    const { task } = await hiddenApplication('Takeover');
    const status = (value: string) =>
      call('PATCH', `${TASKS}/${task.id}`, [{ op: 'replace', path: '/status', value }], {
        token: bruno,
      });
    expect((await status('done')).status).toBe(200);
    const reopened = await status('open');
    expect([reopened.status, reopened.headers['x-warning']]).toEqual([200, undefined]);
  });
});

describe('GET /api/v2/process/tasks/waiting/counts', () => {
  it('counts what the list lists: all, overdue, and by application', async () => {
    await hiddenApplication('Zulassung');
    const { tasks, total } = await inbox(bruno);
    const counts = await countsOf(bruno);
    expect(counts.count).toBe(total);
    const isOverdue = ({ dueDate }: Task) => dueDate !== null && Date.parse(dueDate) < Date.now();
    expect(counts.overdue).toBe(tasks.filter(isOverdue).length);
    for (const { title, count } of counts.applications)
      expect([title, tasks.filter((task) => task.applicationTitle === title).length]).toEqual([
        title,
        count,
      ]);
    expect(counts.applications.reduce((sum, { count }) => sum + count, 0)).toBe(total);
    expect(counts.applications.at(-1)).toEqual({
      application: null,
      title: 'Zulassung',
      count: 1,
    });
  });

  it('has a row for each application, also for two of the same title', async () => {
    await hiddenApplication('Badges');
    const shown = await create('/api/v2/navigation/applications', {
      title: 'Badges',
      type: 'PROCESS',
      audience: [`/directory/users/${brunosId}`],
    });
    for (const title of ['First', 'Second'])
      await create(TASKS, { title, application: shown.uri, assignee: brunosId });
    const { applications } = await countsOf(bruno);
    const { id, uri, reference, label } = shown;
    const application = { id, uri, reference, label };
    expect(applications.filter(({ title }) => title === 'Badges')).toEqual(
      expect.arrayContaining([
        { application, title: 'Badges', count: 2 },
        { application: null, title: 'Badges', count: 1 },
      ]),
    );
    const found = await inbox(bruno, { filters: `application:eq:${shown.id}` });
    expect(found.total).toBe(2);
  });

  it('answers 304 to a page that has the counts already', async () => {
    const first = await call('GET', `${INBOX}/counts`, undefined, { token: bruno });
    const headers = { 'If-None-Match': String(first.headers.etag) };
    const again = await call('GET', `${INBOX}/counts`, undefined, { token: bruno, headers });
    expect(again.status).toBe(304);
  });
});
