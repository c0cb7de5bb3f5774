import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LinkAttribute } from '../../src/resources/attributes/link-attribute.js';
import { LinksAttribute } from '../../src/resources/attributes/links-attribute.js';
import { NameAttribute } from '../../src/resources/attributes/name-attribute.js';
import { idOf } from '../support/id-of.js';
import { servedResources } from '../support/server-resources.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Names of objects: how links, paths and pushes compare them, and what they can be (docs/api-contract.md#names). */

type Values = Record<string, unknown>;

let writing: WritingServer;
let call: WritingServer['call'];
let create: WritingServer['create'];

/** Every resource with names: its path, and the least that creates an object. */
const RESOURCES: Record<string, [path: string, body: Values]> = {
  users: ['directory/users', { lastName: 'A person' }],
  'service-accounts': ['directory/service-accounts', { title: 'A program' }],
  providers: ['directory/providers', { label: 'A provider', kind: 'ldap' }],
  organizations: ['directory/organizations', { label: 'An organization' }],
  groups: ['directory/groups', { label: 'A group' }],
  roles: ['directory/roles', { label: 'A role' }],
  'role-assignments': ['directory/role-assignments', { user: 'bruno.keller', role: 'editor' }],
  categories: ['navigation/categories', { title: 'A category' }],
  applications: ['navigation/applications', { title: 'An application', type: 'LINK' }],
  tasks: ['process/tasks', { title: 'A task', application: 'LEAVE' }],
  views: ['process/views', { label: 'A view', application: 'LEAVE' }],
  sources: ['process/sources', { label: 'A source' }],
  'task-filters': ['process/task-filters', { label: 'A filter' }],
  endpoints: ['process/endpoints', { label: 'An endpoint', mode: 'pull' }],
  absences: ['process/absences', { substitute: 'bruno.keller' }],
  documents: ['content/documents', { title: 'A document' }],
  news: ['content/news', { title: 'A news item' }],
  faqs: ['content/faqs', { question: 'A question?' }],
  customers: ['content/customers', { name: 'A customer' }],
};
const KINDS = Object.keys(RESOURCES);
const pathOf = (kind: string): string => `/api/v2/${RESOURCES[kind]![0]}`;

/** Whether a login names the objects of a resource, which cannot hold blanks, and is never made by the server. */
const hasLogin = (kind: string): boolean => ['users', 'service-accounts'].includes(kind);

/** The attribute that names objects of a resource. */
const namingOf = (kind: string): string => (hasLogin(kind) ? 'login' : 'reference');

let year = 2030;
let places = 0;

/** A body that creates an object with this name; rules of absence must not overlap, and a role is given once in each place. */
function bodyOf(kind: string, name: string | null, more: Values = {}): Values {
  const own = kind === 'absences' && {
    startDate: `${++year}-01-01T00:00:00Z`,
    endDate: `${year}-01-02T00:00:00Z`,
  };
  const place = kind === 'role-assignments' && { group: `PLACE-${++places}` };
  return { ...RESOURCES[kind]![1], ...own, ...place, [namingOf(kind)]: name, ...more };
}

/** Writes a body that names people, and answers whom it has got. */
const refOf = async (path: string, body: Values, attribute: string): Promise<unknown> => {
  const made = await create(path, body);
  const value = made[attribute] as { reference: string } | { reference: string }[];
  return Array.isArray(value) ? value.map(({ reference }) => reference) : value.reference;
};

const TASKS = '/api/v2/process/tasks';
const USERS = '/api/v2/directory/users';

beforeAll(async () => {
  writing = await startWritingServer();
  ({ call, create } = writing);
  await writing.server.database.query(
    `INSERT INTO groups (reference, label) SELECT 'PLACE-' || n, 'A place' FROM generate_series(1, 500) n`,
  );
  for (const login of ['müller', 'muller', 'straße', 'strasse', 'İpek', 'ipek'])
    await create(USERS, { login, lastName: 'Same', status: 1 });
  for (const reference of ['HQ-1', 'hq-1', 'HQ-É', 'HQ-E'])
    await create(pathOf('organizations'), { label: reference, reference });
  await create(pathOf('service-accounts'), { login: 'a.program', title: 'A program' });
  await create(pathOf('groups'), { label: 'Both', reference: 'muller' });
  await create(pathOf('sources'), {
    reference: 'NAMED',
    label: 'An engine',
    applications: ['LEAVE'],
  });
});
afterAll(() => writing.close());

/** Who is named, and by which other forms of the same login. */
const PEOPLE: [given: string, login: string][] = [
  ['müller', 'müller'],
  ['muller', 'muller'],
  ['MÜLLER', 'müller'],
  ['mu\u0308ller', 'müller'],
  ['ＭＵＬＬＥＲ', 'muller'],
  ['straße', 'straße'],
  ['strasse', 'strasse'],
  ['İpek', 'İpek'],
  ['i̇pek', 'İpek'],
  ['IPEK', 'ipek'],
];

describe('a login in a body', () => {
  it.each(PEOPLE)('%s names only %s', async (given, login) => {
    const task = { title: 'Named', application: 'LEAVE' };
    for (const assignee of [given, { login: given }, { reference: given }])
      expect(await refOf(TASKS, { ...task, assignee }, 'assignee')).toBe(login);
    expect(await refOf(TASKS, { ...task, candidates: [{ login: given }] }, 'candidates')).toEqual([
      login,
    ]);
    const away = bodyOf('absences', null, { substitute: given });
    expect(await refOf(pathOf('absences'), away, 'substitute')).toBe(login);
    const source = { label: 'S', serviceAccount: given };
    expect(await refOf(pathOf('sources'), source, 'serviceAccount')).toBe(login);
    const organization = { label: 'O', manager: given };
    expect(await refOf(pathOf('organizations'), organization, 'manager')).toBe(login);
    const news = { title: 'N', audience: [{ login: given }] };
    expect(await refOf(pathOf('news'), news, 'audience')).toEqual([login]);
  });

  it.each(PEOPLE)('%s names %s in a push', async (given, login) => {
    const assignees = [given, { login: given }, { reference: given }];
    const items = assignees.map((assignee, at) => ({
      externalId: `${given} ${at}`,
      title: 'Pushed',
      application: 'LEAVE',
      assignee,
      candidates: [{ login: given }],
    }));
    const { body } = await call('PUT', `${TASKS}?source=NAMED`, items);
    expect(body).toMatchObject({ created: 3, refused: 0 });
    for (const { uri } of body.results as { uri: string }[])
      expect((await call('GET', `/api/v2${uri}`)).body).toMatchObject({
        assignee: { reference: login },
        candidates: [{ reference: login }],
      });
  });

  it.each(PEOPLE)('%s names %s in a path', async (given, login) => {
    const found = await call('GET', `${USERS}/${encodeURIComponent(given)}`);
    expect(found.body).toMatchObject({ login });
    const id = found.body.id as string;
    expect((await call('GET', `${USERS}/${encodeURIComponent(given)}/tokens`)).status).toBe(200);
    const member = `${pathOf('groups')}/HIRING/members/${encodeURIComponent(given)}`;
    expect((await call('PUT', member)).status).toBe(204);
    const filter = encodeURIComponent(`id:eq:${id}`);
    const { body } = await call('GET', `${pathOf('groups')}/HIRING/members?filters=${filter}`);
    expect(body).toMatchObject([{ login }]);
    expect((await call('DELETE', member)).status).toBe(204);
  });

  it('is no one where it only resembles one, and the name of a person and a group is neither', async () => {
    const task = { title: 'N', application: 'LEAVE' };
    const fault = async (values: Values) =>
      (await call('POST', TASKS, { ...task, ...values })).body;
    expect(await fault({ assignee: 'mueller' })).toEqual({
      code: 400,
      message: 'Invalid: assignee',
      fields: [{ name: 'assignee', message: "there is no user 'mueller'" }],
    });
    expect(await fault({ group: { login: 'muller' } })).toMatchObject({
      fields: [{ name: 'group', message: 'must be an id or a URI such as /directory/groups/1' }],
    });
    expect(await fault({ candidates: ['muller', 'mueller'] })).toMatchObject({
      fields: [
        { name: 'candidates', message: "'muller' is a user and a group: give the URI" },
        { name: 'candidates', message: "there is no user or group 'mueller'" },
      ],
    });
    expect(await fault({ assignee: { login: 'muller', reference: 'müller' } })).toMatchObject({
      fields: [{ name: 'assignee', message: expect.stringContaining('must be an id or a URI') }],
    });
  });

  it('is looked up by an id or a URI beside it, which decide', async () => {
    const { id, uri } = await create(USERS, { login: 'decided', lastName: 'D' });
    const task = { title: 'N', application: 'LEAVE' };
    for (const assignee of [
      { id, reference: 'muller' },
      { uri, login: 'muller' },
    ])
      expect(await refOf(TASKS, { ...task, assignee }, 'assignee')).toBe('decided');
  });
});

describe('a reference', () => {
  it.each(['HQ-1', 'hq-1', 'HQ-É', 'HQ-E'])('%s is compared as it is', async (reference) => {
    const path = `${pathOf('organizations')}/${encodeURIComponent(reference)}`;
    expect((await call('GET', path)).body).toMatchObject({ reference });
    const user = { lastName: 'U', login: `of.${year++}`, organization: reference };
    expect(await refOf(USERS, user, 'organization')).toBe(reference);
  });

  it('is another one if it differs by case or accents', async () => {
    expect((await call('GET', `${pathOf('organizations')}/Hq-1`)).status).toBe(404);
    const taken = await call('POST', pathOf('organizations'), { label: 'H', reference: 'HQ-1' });
    expect([taken.status, taken.body.message]).toEqual([409, 'The reference is taken']);
    const unknown = await call('POST', USERS, {
      login: 'hq',
      lastName: 'H',
      organization: 'Hq-1',
    });
    expect(unknown.body).toMatchObject({
      fields: [{ name: 'organization', message: "there is no organization 'Hq-1'" }],
    });
  });
});

describe('every resource', () => {
  it('is in the table if it has references', () => {
    const served = servedResources().filter(({ hasNames }) => hasNames);
    expect(served.map(({ name }) => name).sort()).toEqual([...KINDS].sort());
  });

  it.each(KINDS)('%s has its name in paths', async (kind) => {
    const name = `Name of: ${kind}`.replaceAll(hasLogin(kind) ? ' ' : '\0', '');
    const given = kind === 'sources' ? 'Name of sources' : name;
    const made = await create(pathOf(kind), bodyOf(kind, given));
    const path = `${pathOf(kind)}/${encodeURIComponent(given)}`;
    const found = await call('GET', path);
    expect([found.status, found.body]).toEqual([200, made]);
    const replaced = await call('PUT', path, found.body);
    expect([replaced.status, replaced.body]).toEqual([200, made]);
    const patched = await call('PATCH', path, [{ op: 'test', path: '/id', value: made.id }]);
    expect([patched.status, patched.body]).toEqual([200, made]);
    expect((await call('GET', path, undefined, { token: '' })).status).toBe(401);
    expect((await call('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE'])
      expect((await call(method, path)).body).toEqual({ code: 404, message: 'Not found' });
  });

  it.each(KINDS)('%s is not found by a text of no name', async (kind) => {
    for (const text of ['%00', 'x'.repeat(3_000), '%20', "'", '007', '9'.repeat(30), '%C3%A9'])
      expect((await call('GET', `${pathOf(kind)}/${text}`)).status).toBe(404);
  });

  it.each(KINDS)('%s takes names in all its links', async (kind) => {
    const NAMES: Record<string, string> = {
      users: 'chloe.lefevre',
      organizations: 'HQ-1',
      groups: 'HIRING',
      applications: 'LEAVE',
      categories: 'CATEGORY',
      sources: 'NAMED',
      views: 'VIEW',
      roles: 'editor',
    };
    const resource = servedResources().find(({ name }) => name === kind)!;
    for (const [attribute, link] of resource.writable) {
      if (!(link instanceof LinkAttribute || link instanceof LinksAttribute)) continue;
      const [target] = link.linked.names;
      // A tile opens a view of its own alone.
      if (attribute === 'view') continue;
      // A provider has a service account.
      const name = kind === 'providers' ? 'a.program' : NAMES[target!]!;
      if (target === 'categories')
        await call('POST', pathOf('categories'), { title: 'C', reference: name });
      const external = attribute === 'source' && kind === 'tasks' && { externalId: 'linked' };
      // A role holds in one place.
      const alone = ['organization', 'application'].includes(attribute) &&
        kind === 'role-assignments' && { group: null };
      for (const given of [name, { reference: name }]) {
        const value = link instanceof LinkAttribute ? given : [given];
        const body = bodyOf(kind, `${kind}.${attribute}.${typeof given}`, {
          ...external,
          ...alone,
        });
        const made = await create(pathOf(kind), { ...body, [attribute]: value });
        expect([made[attribute]].flat()).toMatchObject([{ reference: name }]);
        await call('DELETE', `${pathOf(kind)}/${made.id}`);
      }
      const path = `${pathOf(kind)}`;
      const value = link instanceof LinkAttribute ? 'no.one' : ['no.one'];
      const unknown = await call(
        'POST',
        path,
        bodyOf(kind, null, { login: 'l', [attribute]: value }),
      );
      const nouns: Record<string, string> = { categories: 'category' };
      const noun = link.linked.names.map((one) => nouns[one] ?? one.slice(0, -1)).join(' or ');
      expect(unknown.body.fields).toContainEqual({
        name: attribute,
        message: `there is no ${noun} 'no.one'`,
      });
    }
  });
});

describe('a text of digits', () => {
  let number: string;
  beforeAll(async () => {
    number = await idOf(writing.server, 'users', 'bruno.keller');
    await create(USERS, { login: number, lastName: 'Number' });
    await create(USERS, { login: '0007', lastName: 'Leading' });
    const group = await idOf(writing.server, 'groups', 'HIRING');
    await create(pathOf('groups'), { label: 'Digits', reference: group });
  });
  const task = { title: 'N', application: 'LEAVE' };

  it('is a 400 in a body where it is an id and also a name', async () => {
    const fields = async (values: Values) =>
      (await call('POST', TASKS, { ...task, ...values })).body.fields as unknown;
    const message = `'${number}' is an id, and also a name: give the URI, {"id":"${number}"} or {"login":"${number}"} or {"reference":"${number}"}`;
    expect(await fields({ assignee: number })).toEqual([{ name: 'assignee', message }]);
    expect(await fields({ candidates: [number] })).toEqual([{ name: 'candidates', message }]);
    const group = await idOf(writing.server, 'groups', 'HIRING');
    expect(await fields({ group })).toEqual([
      {
        name: 'group',
        message: `'${group}' is an id, and also a name: give the URI, {"id":"${group}"} or {"reference":"${group}"}`,
      },
    ]);
    const { body } = await call('POST', `${USERS}/invitations`, {
      users: [number],
      delivery: 'link',
    });
    expect(body.fields).toEqual([{ name: 'users', message }]);
  });

  it('is an id or a name as the object in the body says', async () => {
    const ref = (assignee: unknown) => refOf(TASKS, { ...task, assignee }, 'assignee');
    expect(await ref({ login: number })).toBe(number);
    expect(await ref({ reference: number })).toBe(number);
    expect(await ref({ id: number })).toBe('bruno.keller');
    expect(await ref(`/directory/users/${number}`)).toBe('bruno.keller');
    expect(await ref({ login: '0007' })).toBe('0007');
    expect(await ref(await idOf(writing.server, 'users', 'chloe.lefevre'))).toBe('chloe.lefevre');
  });

  it('is an id in a path', async () => {
    expect((await call('GET', `${USERS}/${number}`)).body.login).toBe('bruno.keller');
    expect((await call('GET', `${USERS}/0007`)).status).toBe(404);
  });

  it('is never an id in a push', async () => {
    const free = await idOf(writing.server, 'users', 'chloe.lefevre');
    const assignees = [number, { login: number }, { id: number }, '0007', { id: free }, free];
    const items = assignees.map((assignee, at) => ({
      ...task,
      externalId: `digits ${at}`,
      assignee,
    }));
    const { body } = await call('PUT', `${TASKS}?source=NAMED`, items);
    const results = body.results as { uri: string | null; fields: unknown[] }[];
    const found = await Promise.all(
      results.map(async ({ uri, fields }) =>
        uri === null
          ? fields
          : (
              (await call('GET', `/api/v2${uri}`)).body.assignee as {
                reference: string;
              }
            ).reference,
      ),
    );
    expect(found).toEqual([
      number,
      number,
      'bruno.keller',
      '0007',
      'chloe.lefevre',
      [{ name: 'assignee', message: `there is no user '${free}'` }],
    ]);
    const application = await idOf(writing.server, 'applications', 'LEAVE');
    const byId = [{ ...task, externalId: 'by id', application }];
    expect((await call('PUT', `${TASKS}?source=NAMED`, byId)).body).toMatchObject({
      results: [
        {
          fields: [
            { name: 'application', message: `is not an application of the source: ${application}` },
          ],
        },
      ],
    });
  });
});

/** Names that nothing can have, and why. */
const BAD_NAMES: [name: string, fault: string][] = [
  [' a', 'must not begin or end with a blank'],
  ['a\u00a0', 'must not begin or end with a blank'],
  ['a\tb', 'must not hold invisible characters'],
  ['a\u200bb', 'must not hold invisible characters'],
  ['a\u2003b', 'must not hold invisible characters'],
  ['\u3164', 'must not hold invisible characters'],
  ['\n', 'must not hold invisible characters'],
  ['a/b', 'must not contain /'],
  ['.', 'must not be ., which means something else in paths'],
  ['..', 'must not be .., which means something else in paths'],
  ['x'.repeat(101), 'must be a string of at most 100 characters'],
];

/** The words of the paths of each resource. */
const RESERVED: Record<string, string[]> = {
  users: ['attributes', 'invitations', 'me'],
  'service-accounts': ['attributes', 'invitations', 'me'],
  providers: ['attributes'],
  organizations: ['attributes'],
  groups: ['attributes'],
  roles: ['attributes'],
  'role-assignments': ['attributes'],
  categories: ['attributes'],
  applications: ['attributes'],
  tasks: ['attributes', 'bulk', 'waiting'],
  views: ['attributes', 'preview'],
  sources: ['attributes'],
  'task-filters': ['attributes'],
  endpoints: ['attributes'],
  absences: ['attributes'],
  documents: ['attributes'],
  news: ['attributes'],
  faqs: ['attributes'],
  customers: ['attributes'],
};

describe('a new name', () => {
  it.each(KINDS)('must be visible, without a slash and no reserved word: %s', async (kind) => {
    const naming = namingOf(kind);
    const cases: [string, string][] = [
      ...(hasLogin(kind) ? BAD_NAMES.slice(-4) : BAD_NAMES),
      ...RESERVED[kind]!.flatMap((word): [string, string][] =>
        [word, word.toUpperCase()].map((text) => [
          text,
          `must not be ${text}, which means something else in paths`,
        ]),
      ),
    ];
    for (const [name, fault] of cases) {
      const refused = await call('POST', pathOf(kind), bodyOf(kind, name));
      expect([name, refused.body]).toEqual([
        name,
        {
          code: 400,
          message: `Invalid: ${naming}`,
          fields: [{ name: naming, message: fault }],
        },
      ]);
    }
    const made = await create(pathOf(kind), bodyOf(kind, `Fine-näme.of~${kind}`));
    const patch = [{ op: 'replace', path: `/${naming}`, value: 'attributes' }];
    const patched = await call('PATCH', `${pathOf(kind)}/${made.id}`, patch);
    expect(patched.body).toMatchObject({ code: 400, fields: [{ name: naming }] });
  });

  it.each(servedResources().filter(({ hasNames }) => hasNames))(
    'must not be a word of the routes of $name',
    (resource) => {
      const naming = resource.attributes.get(namingOf(resource.name)) as NameAttribute;
      expect([...naming.words].sort()).toEqual(['.', '..', ...RESERVED[resource.name]!]);
    },
  );

  it.each(KINDS.filter((kind) => !hasLogin(kind)))(
    'is made by the server if it is empty, and stays if it is omitted: %s',
    async (kind) => {
      const made = await create(pathOf(kind), bodyOf(kind, ''));
      expect(made.reference).toMatch(/^[A-Z]+-\d+$/);
      const emptied = await call('PUT', `${pathOf(kind)}/${made.id}`, { ...made, reference: '' });
      expect(emptied.body).toMatchObject({ reference: made.reference });
    },
  );

  it('may stay the same as before the rules', async () => {
    const { id, ...made } = await create(pathOf('groups'), { label: 'Old' });
    await writing.server.database.query(`UPDATE groups SET reference = 'R/D' WHERE id = $1`, [id]);
    const path = `${pathOf('groups')}/${id}`;
    const patched = await call('PATCH', path, [{ op: 'replace', path: '/label', value: 'New' }]);
    expect(patched.body).toMatchObject({ label: 'New', reference: 'R/D' });
    expect((await call('PUT', path, { ...made, reference: 'R/D' })).status).toBe(200);
    expect((await call('PUT', path, { ...made, reference: 'R/E' })).status).toBe(400);
  });
});

describe('a text of invisible characters alone', () => {
  it.each([
    ['groups', 'label', '\u200b'],
    ['groups', 'label', '\u3164'],
    ['categories', 'title', '\u2060\u00a0'],
    ['tasks', 'title', '\ufeff'],
    ['faqs', 'question', '\u200b'],
    ['customers', 'name', '\u200b'],
  ])('is no %s.%s', async (kind, attribute, text) => {
    const refused = await call('POST', pathOf(kind), bodyOf(kind, null, { [attribute]: text }));
    expect(refused.body).toEqual({
      code: 400,
      message: `Invalid: ${attribute}`,
      fields: [{ name: attribute, message: 'is required' }],
    });
  });

  it('is no title of a person, who gets one from the names', async () => {
    const body = { login: 'titled', firstName: 'Ti', lastName: 'Tled', title: '\u200b' };
    expect(await create(USERS, body)).toMatchObject({ title: 'Ti Tled', label: 'Ti Tled' });
  });
});

describe('a hidden object', () => {
  it('is named like one that does not exist', async () => {
    const hidden = { title: 'H', type: 'LINK', reference: 'HIDDEN', audience: ['alice.martin'] };
    const { id } = await create(pathOf('applications'), hidden);
    await create(pathOf('applications'), { ...hidden, reference: '9000' });
    const token = writing.bruno;
    const away = (application: unknown) =>
      call(
        'POST',
        pathOf('absences'),
        bodyOf('absences', null, { substitute: 'chloe.lefevre', application }),
        {
          token,
        },
      );
    const message = (name: string) => `there is no application '${name}'`;
    for (const name of ['HIDDEN', 'NOWHERE'])
      expect((await away(name)).body.fields).toEqual([
        { name: 'application', message: message(name) },
      ]);
    for (const number of [id, '9000', '9001'])
      expect((await away(number)).body.fields).toEqual([
        { name: 'application', message: `there is no /navigation/applications/${number}` },
      ]);
    for (const name of ['HIDDEN', 'NOWHERE', id])
      expect(
        (await call('GET', `${pathOf('applications')}/${name}`, undefined, { token })).body,
      ).toEqual({ code: 404, message: 'Not found' });
  });
});

describe('links outside of resources', () => {
  it('accept names as well as ids', async () => {
    const favourites = `${USERS}/me/favourites`;
    const put = await call('PUT', favourites, { applications: ['LEAVE', { reference: 'TRAVEL' }] });
    const references = (body: Values) =>
      (body.applications as { reference: string }[]).map(({ reference }) => reference);
    expect(references(put.body)).toEqual(['LEAVE', 'TRAVEL']);
    const one = '/navigation/workplace/favourites/LEAVE';
    expect(references((await call('DELETE', one)).body)).toEqual(['TRAVEL']);
    expect(references((await call('PUT', one)).body)).toEqual(['TRAVEL', 'LEAVE']);
    const id = await idOf(writing.server, 'applications', 'LEAVE');
    expect((await call('PUT', favourites, { applications: ['LEAVE', id] })).body).toMatchObject({
      fields: [
        { name: 'applications', message: `must not name /navigation/applications/${id} twice` },
      ],
    });
    expect((await call('PUT', favourites, { applications: ['NONE'] })).body).toMatchObject({
      fields: [{ name: 'applications', message: "there is no application 'NONE'" }],
    });
  });
});
