import type pg from 'pg';
import type { Call, Client } from './client.js';
import type { Neighbours } from './neighbours.js';
import { PASSWORD, type Person, WITH_PASSWORD } from './portal.js';
import type { Kind } from './profile.js';

const WORKPLACE = '/navigation/workplace';
const USERS = '/api/v2/directory/users';
const TASKS = '/api/v2/process/tasks';
const SEARCH = `${WORKPLACE.replace('workplace', 'search/workplace')}?searchName=workplace_searchUsers&searchField=quickSearch&query=`;
const COMMON = ['an', 'mar', 'er', 'manager', 'lin', 'sch'];
const RARE = ['quillfeather', 'zw', 'quill', 'vademecum'];

/** Tasks of a call of the engine. */
const PUSHED = 20;

/** One of so many people has the pages of the server open, with a stream of counters. */
const STREAMING = 10;

/** Changes of tiles in a day, each of which everybody sees. */
const CATALOGUE_CHANGES = 20;

/** What the people of a portal do in a day. */
export interface Day {
  kinds: Kind[];
  /** Messages of streams, and their number. */
  streams: { open: number; messages: number };
  signIn: (person: Person, due?: number) => Promise<void>;
}

const some = <T>(all: T[]): T => all[Math.floor(Math.random() * all.length)]!;

/**
 * Forty calls a person: 60 % of them for categories, applications and indicators, 25 % for whole workplaces, 10 % searches and 4 % pages
 * of the directory; and beside them a sign-in, a look into the inbox, with the decision on a task where one waits, and the tasks that an
 * engine pushes, one a person.
 * @param share of the people that comes; each of them has the calls of a whole day
 */
export async function dayOf(
  { client, token }: { client: pg.Client; token: string },
  {
    calls,
    neighbours,
    people,
    share,
  }: { calls: Client; neighbours: Neighbours; people: Person[]; share: number },
): Promise<Day> {
  const { rows } = await client.query<{
    id: string;
    category: string;
    everybody: boolean;
    counts: boolean;
  }>(
    `SELECT a.id, c.category_id AS category, a.audience @> '{0}' AS everybody, a.view_id IS NOT NULL AS counts
     FROM applications a JOIN application_categories c ON c.application_id = a.id`,
  );
  const categories = [...new Set(rows.map(({ category }) => category))];
  const counting = rows.filter(({ everybody, counts }) => everybody && counts);
  const references = (
    await client.query<{ reference: string }>('SELECT reference FROM applications')
  ).rows;
  const present: Person[] = [];
  let arrived = 0;
  let pushed = 0;
  const streams = { open: 0, messages: 0 };

  const signIn = async (person: Person, due?: number): Promise<void> => {
    const path = '/api/v2/authentication';
    const withPassword = Number(person.id) % WITH_PASSWORD === 0;
    const kind = withPassword ? 'sign-in, password' : 'sign-in, identity provider';
    const call: Call = withPassword
      ? {
          path,
          method: 'POST',
          person: { ...person, token: undefined! },
          body: { login: person.login, password: PASSWORD },
        }
      : {
          path,
          method: 'POST',
          person: { ...person, token: undefined! },
          headers: { Authorization: `Bearer ${await neighbours.idToken(person.login)}` },
        };
    const { status, text } = await calls.send(kind, call, due);
    if (status !== 200) return;
    if (person.token === undefined) present.push(person);
    person.token = (JSON.parse(text) as { token: string }).token;
    if (Number(person.id) % STREAMING === 0) {
      streams.open++;
      void calls.stream(person, () => streams.messages++);
    }
    await calls.send('whole workplace', { path: WORKPLACE, person });
  };

  const decide = async (name: string, due: number): Promise<void> => {
    const person = some(present);
    const { status, text } = await calls.send(
      name,
      { path: `${TASKS}/waiting?range=0-25`, person },
      due,
    );
    if (status !== 200) return;
    const task = (JSON.parse(text) as { id: string; assignee: unknown }[]).find(
      ({ assignee }) => assignee !== null,
    );
    if (!task) return;
    const path = `${TASKS}/${task.id}`;
    await calls.send('one task', { path, person });
    const body = [{ op: 'replace', path: '/status', value: 'done' }];
    await calls.send('decision on a task', { method: 'PATCH', path, person, body });
  };

  const push = (name: string, due: number) => {
    const body = Array.from({ length: PUSHED }, () => ({
      externalId: `day-${++pushed}`,
      title: `Approve the purchase ${pushed}`,
      description: 'Three offers are attached; the cheapest one has the longest time of delivery.',
      application: some(references).reference,
      assignee: some(present).login,
      dueDate: new Date(Date.now() + 864e5 * (1 + (pushed % 10))).toISOString(),
      variables: [{ name: 'amount', label: 'Amount', value: 1200.5 + pushed }],
    }));
    return calls.send(name, { method: 'PUT', path: `${TASKS}?source=BENCH`, token, body }, due);
  };

  const read =
    (path: () => string) =>
    (name: string, due: number): unknown =>
      calls.send(name, { path: path(), person: some(present) }, due);
  const change = (path: () => string, attribute: string) => (name: string, due: number) =>
    calls.send(
      name,
      {
        method: 'PATCH',
        path: path(),
        token,
        body: [{ op: 'replace', path: `/${attribute}`, value: `Changed ${due}` }],
      },
      due,
    );

  /** What each person does so often in a day. */
  const perPerson: [
    name: string,
    amount: number,
    start: Kind['start'],
    profile?: Kind['profile'],
  ][] = [
    ['sign-in', 1, (_, due) => signIn(people[arrived++ % people.length]!, due), 'signIns'],
    ['categories', 8, read(() => `${WORKPLACE}/categories`)],
    [
      'apps of a category',
      8,
      read(() => `${WORKPLACE}/apps?category=/navigation/categories/${some(categories)}`),
    ],
    [
      'indicator',
      8,
      read(
        () =>
          `${WORKPLACE}/apps/indicator?applicationUri=/navigation/applications/${some(counting).id}`,
      ),
    ],
    ['whole workplace', 9, read(() => WORKPLACE)],
    ['search for a common word', 2, read(() => SEARCH + some(COMMON))],
    ['search for a rare word', 2, read(() => SEARCH + some(RARE))],
    [
      'page of 50 users by name',
      1.6,
      read(() => `${USERS}?range=${Math.floor(Math.random() * 20) * 50}-50&sorter=lastName`),
    ],
    ['inbox', 1, decide],
    [`push of ${PUSHED} tasks`, 1 / PUSHED, push],
    ['change of a user', 1 / 50, change(() => `${USERS}/${some(people).id}`, 'userFunction')],
    [
      'change of a tile',
      CATALOGUE_CHANGES / (people.length * share),
      change(() => `/api/v2/navigation/applications/${some(rows).id}`, 'keywords'),
    ],
  ];
  const kinds = perPerson.map(([name, amount, start, profile = 'calls']) => ({
    ...{ name, start, profile },
    amount: amount * people.length * share,
  }));
  return { kinds, streams, signIn };
}
