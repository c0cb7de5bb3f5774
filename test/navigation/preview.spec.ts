import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldNames, query } from '../support/call.js';
import { idOf } from '../support/id-of.js';
import { countStatements } from '../support/statements.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PATH = '/api/v2/navigation/preview';

interface Previewed {
  application: { reference: string };
  shown: boolean;
  reasons: { code: string; text: string; principal: { reference: string } | null }[];
}

let server: TestServer;
let alice: string;
const ids: Record<string, string> = {};
beforeAll(async () => {
  server = await startTestServer();
  alice = await server.signIn('alice.martin');
  for (const { login, id } of await server.database.query('SELECT login, id FROM users'))
    ids[login as string] = id as string;
});
afterAll(() => server.close());

const preview = (user: string, token = alice) => server.call(PATH + query({ user }), { token });
const reasonsOf = async (login: string) => {
  const { body } = await preview(ids[login]!);
  return Object.fromEntries(
    (body.applications as Previewed[]).map(({ application, shown, reasons }) => [
      application.reference,
      [shown, ...reasons.map(({ text }) => text)],
    ]),
  );
};

describe('GET /api/v2/navigation/preview', () => {
  it('answers the workplace of that person, with the reason for every application', async () => {
    for (const login of ['bruno.keller', 'chloe.lefevre', 'alice.martin']) {
      const answer = await preview(ids[login]!);
      const token = await server.signIn(login);
      const own = await server.call('/navigation/workplace', { token });
      expect([answer.status, answer.body.workplace]).toEqual([200, own.body]);
      const shown = (answer.body.applications as Previewed[])
        .filter((one) => one.shown)
        .map(({ application }) => application.reference);
      const tiles = (own.body as { applications: { reference: string }[] }[]).flatMap((category) =>
        category.applications.map(({ reference }) => reference),
      );
      expect(shown.sort()).toEqual([...new Set(tiles)].sort());
    }
    const bruno = ids['bruno.keller']!;
    const uri = `/directory/users/${bruno}`;
    expect((await preview(uri)).body.user).toEqual({
      id: bruno,
      uri,
      reference: 'bruno.keller',
      label: 'Bruno Keller',
    });
  });

  it('names everyone, users, groups, organizations, inactivity and audiences', async () => {
    const bruno = await reasonsOf('bruno.keller');
    const [row] = await server.database.query('SELECT count(*)::int AS n FROM applications');
    expect(Object.keys(bruno).length).toBe(row!.n);
    expect(bruno).toMatchObject({
      LEAVE: [true, 'shown: everyone'],
      HIRING: [true, 'shown: group Hiring team'],
      // Bruno's organization is below the named one.
      CONTRACTS: [true, 'shown: organization Sales'],
      INCIDENTS: [false, 'hidden: audience'],
      FLEET: [false, 'hidden: inactive'],
    });
    expect(await reasonsOf('alice.martin')).toMatchObject({
      PURCHASE: [true, 'shown: user Alice Martin'],
    });
    const { body } = await preview(ids['bruno.keller']!);
    expect(
      (body.applications as Previewed[]).find(
        ({ application }) => application.reference === 'HIRING',
      ),
    ).toMatchObject({
      application: {
        uri: `/navigation/applications/${await idOf(server, 'applications', 'HIRING')}`,
        label: 'Hiring',
      },
      reasons: [
        {
          code: 'group',
          text: 'shown: group Hiring team',
          principal: { reference: 'HIRING', label: 'Hiring team' },
        },
      ],
    });
  });

  it('names everything that shows an application, and everything that hides it', async () => {
    const change = (text: string) => server.database.query(text);
    const [hiring, travel] = await Promise.all(
      ['HIRING', 'TRAVEL'].map((reference) => idOf(server, 'applications', reference)),
    );
    await change(
      `INSERT INTO application_audiences (application_id, user_id) VALUES (${hiring}, ${ids['bruno.keller']})`,
    );
    await change(`UPDATE applications SET active = false WHERE reference = 'INCIDENTS'`);
    await change(`UPDATE categories SET active = false WHERE reference = 'IT'`);
    expect(await reasonsOf('bruno.keller')).toMatchObject({
      HIRING: [true, 'shown: user Bruno Keller', 'shown: group Hiring team'],
      INCIDENTS: [false, 'hidden: inactive', 'hidden: audience', 'hidden: no active category'],
      ACCESS: [false, 'hidden: audience', 'hidden: no active category'],
    });
    await change(`DELETE FROM application_categories WHERE application_id = ${travel}`);
    expect((await reasonsOf('bruno.keller')).TRAVEL).toEqual([false, 'hidden: no active category']);
    await change(`UPDATE categories SET active = true`);
  });

  it('gives its reasons in the administrator’s language', async () => {
    await server.database.query(`UPDATE users SET locale = 'fr' WHERE login = 'alice.martin'`);
    alice = await server.signIn('alice.martin');
    expect(await reasonsOf('bruno.keller')).toMatchObject({
      LEAVE: [true, 'visible\u00a0: tout le monde'],
      CONTRACTS: [true, 'visible\u00a0: organisation Sales'],
      FLEET: [false, 'masquée\u00a0: inactive'],
    });
  });

  it('takes two statements more than the person’s own workplace', async () => {
    expect(await countStatements(() => preview(ids['bruno.keller']!))).toBe(4);
  });

  it('is for administrators, takes the token in the header, and needs an existing user', async () => {
    const bruno = await server.signIn('bruno.keller');
    const user = ids['bruno.keller']!;
    expect((await preview(user, bruno)).status).toBe(403);
    expect((await server.call(`${PATH}?user=${user}`)).status).toBe(401);
    expect((await server.call(`${PATH}?user=${user}&_AuthenticationKey=${alice}`)).status).toBe(
      401,
    );
    for (const unknown of ['999', '/directory/users/999', user.padEnd(19, '9')])
      expect([unknown, (await preview(unknown)).status]).toEqual([unknown, 404]);
    const group = `/directory/groups/${await idOf(server, 'groups', 'HIRING')}`;
    for (const bad of ['', 'x', group, '0', '-1', "1'"]) {
      const answer = await preview(bad);
      expect([bad, answer.status, fieldNames(answer)]).toEqual([bad, 400, ['user']]);
    }
    const answer = await server.call(`${PATH}?user=${user}&user=${ids['alice.martin']}&x=1`, {
      token: alice,
    });
    expect([answer.status, fieldNames(answer)]).toEqual([400, ['user', 'x']]);
    expect((await preview(user)).headers['cache-control']).toBe('no-store');
  });
});
