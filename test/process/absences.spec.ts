import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AbsenceSwitch } from '../../src/process/absences/absence-switch.service.js';
import { query } from '../support/call.js';
import { eventually } from '../support/eventually.js';
import { idOf, uriOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Absences: who enters them, which fit together, and when they begin and end. */

const ABSENCES = '/api/v2/process/absences';
const HOUR = 3_600_000;

let writing: WritingServer;
let server: WritingServer['server'];
let call: WritingServer['call'];
let bruno: string, chloe: string, sophie: string;
const uris: Record<string, string> = {};
beforeAll(async () => {
  writing = await startWritingServer();
  ({ server, call, bruno } = writing);
  chloe = await server.signIn('chloe.lefevre');
  sophie = await server.signIn('sophie.bohm');
  for (const login of ['bruno.keller', 'chloe.lefevre', 'sophie.bohm'])
    uris[login] = await uriOf(server, 'users', login);
  // More than a minute allows.
  await server.database.query(
    `INSERT INTO parameters (key, value) VALUES ('security.Throttle.writes', '100000')`,
  );
});
afterEach(() => server.database.query('DELETE FROM absences'));
afterAll(() => writing.close());

/** A timestamp some hours from now. */
const at = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

/** Bruno is away from an hour ago until tomorrow, and Chloé stands in. */
const body = (more: object = {}) => ({
  user: 'bruno.keller',
  substitute: 'chloe.lefevre',
  startDate: at(-1),
  endDate: at(24),
  ...more,
});

/** Creates one as an administrator, unless a token says otherwise. */
async function enter(more: object = {}, token?: string) {
  const answer = await call('POST', ABSENCES, body(more), token === undefined ? {} : { token });
  return { ...answer, body: answer.body as Record<string, unknown> & { id: string } };
}

const refused = async (more: object, token?: string) => {
  const { status, body: answer } = await enter(more, token);
  const { message, fields } = answer as { message?: string; fields?: unknown };
  return fields === undefined ? [status, message] : [status, fields];
};

describe('POST /process/absences', () => {
  it('answers the absent person, the substitute, the scope, the dates, and whether the absence has an effect now', async () => {
    const made = await enter({ application: 'TRAVEL', reference: 'SKIING' });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(String),
        uri: `/process/absences/${made.body.id}`,
        reference: 'SKIING',
        label: 'SKIING',
        user: expect.objectContaining({ reference: 'bruno.keller' }),
        substitute: expect.objectContaining({ reference: 'chloe.lefevre' }),
        application: expect.objectContaining({ reference: 'TRAVEL' }),
        applicationTitle: expect.any(String),
        startDate: expect.any(String),
        endDate: expect.any(String),
        active: true,
        creationDate: expect.any(String),
        modificationDate: expect.any(String),
      },
    ]);
  });

  it('takes the own absence of everybody, without their name', async () => {
    const made = await enter({ user: undefined }, bruno);
    expect([made.status, made.body.user]).toEqual([
      201,
      expect.objectContaining({ reference: 'bruno.keller' }),
    ]);
  });

  it('refuses a reference that the server gives to a later one', async () => {
    expect(await refused({ reference: 'ABSENCE-987654' }, bruno)).toEqual([
      400,
      [
        {
          name: 'reference',
          message: 'ABSENCE- and a number is a reference that the server gives',
        },
      ],
    ]);
  });

  it('refuses an absence of another person', async () => {
    expect(await refused({}, chloe)).toEqual([
      403,
      'Only administrators write the absences of other people',
    ]);
  });

  it.each([
    ['oneself', { substitute: 'bruno.keller' }, 'substitute', 'must be another person'],
    ['an end before the start', { endDate: at(-2) }, 'endDate', 'must be later than startDate'],
    ['nobody', { substitute: null }, 'substitute', 'is required'],
    ['no end', { endDate: null }, 'endDate', 'is required'],
  ])('rejects an absence with %s', async (_, more, name, message) => {
    expect(await refused(more)).toEqual([400, [{ name, message }]]);
  });

  it('takes one of a year, and refuses a longer one', async () => {
    const startDate = at(0);
    const endDate = (days: number): string =>
      new Date(Date.parse(startDate) + days * 24 * HOUR).toISOString();
    const days = (count: number) => ({ startDate, endDate: endDate(count) });
    expect(await refused(days(366.1))).toEqual([
      400,
      [{ name: 'endDate', message: 'must be at most 366 days after startDate' }],
    ]);
    const { status, body: made } = await enter(days(366));
    expect(status).toBe(201);
    const later = [{ op: 'replace', path: '/endDate', value: endDate(367) }];
    const changed = await call('PATCH', `${ABSENCES}/${made.id}`, later);
    expect([changed.status, changed.body]).toEqual([
      400,
      {
        code: 400,
        message: 'Invalid: endDate',
        fields: [{ name: 'endDate', message: 'must be at most 366 days after startDate' }],
      },
    ]);
  });

  it('refuses a substitute who cannot sign in', async () => {
    const { body: user } = await call('POST', '/api/v2/directory/users', {
      login: 'left.long.ago',
      lastName: 'Ago',
      status: 0,
    });
    expect(await refused({ substitute: (user as { uri: string }).uri })).toEqual([
      400,
      [{ name: 'substitute', message: 'must be an active user' }],
    ]);
  });
});

describe('absences of one person', () => {
  it('may not overlap in the same scope, and the answer names the other one', async () => {
    await enter({ reference: 'FIRST' });
    const late = { startDate: at(23), endDate: at(48), substitute: 'sophie.bohm' };
    expect(await refused(late)).toEqual([
      409,
      'Another absence of this person overlaps this one: FIRST',
    ]);
    expect((await enter({ ...late, application: 'TRAVEL' })).status).toBe(201);
    expect((await enter({ ...late, application: 'LEAVE' })).status).toBe(201);
    expect((await enter({ user: 'sophie.bohm', startDate: at(-1), endDate: at(1) })).status).toBe(
      201,
    );
  });

  it('may follow each other without a gap', async () => {
    const noon = at(24);
    await enter({ endDate: noon });
    expect((await enter({ startDate: noon, endDate: at(48) })).status).toBe(201);
  });

  it('do not overlap when ten are entered at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, hour) => enter({ startDate: at(hour), endDate: at(40) })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  it('may be moved within its own time', async () => {
    const { body: made } = await enter();
    const { status } = await call('PATCH', `${ABSENCES}/${made.id}`, [
      { op: 'replace', path: '/endDate', value: at(20) },
    ]);
    expect(status).toBe(200);
  });

  it('cannot overlap, not even by a write in the database', async () => {
    await enter();
    await expect(
      server.database.query(
        'INSERT INTO absences (user_id, substitute_id, start_date, end_date) SELECT user_id, substitute_id, start_date, end_date FROM absences',
      ),
    ).rejects.toThrow(/absences_overlap/);
  });
});

describe('people who stand in for each other', () => {
  const CIRCLE = 'People would stand in for each other in a circle: FIRST';
  const back = { user: 'chloe.lefevre', substitute: 'bruno.keller' };

  it('are refused at overlapping times', async () => {
    await enter({ reference: 'FIRST' });
    expect(await refused(back)).toEqual([409, CIRCLE]);
    expect(await refused({ ...back, user: undefined }, chloe)).toEqual([409, CIRCLE]);
    expect((await enter({ ...back, startDate: at(24), endDate: at(30) })).status).toBe(201);
  });

  it('are refused over several people', async () => {
    await enter({ reference: 'FIRST' });
    expect((await enter({ user: 'chloe.lefevre', substitute: 'sophie.bohm' })).status).toBe(201);
    expect(await refused({ user: 'sophie.bohm', substitute: 'bruno.keller' })).toEqual([
      409,
      expect.stringMatching(/^People would stand in for each other in a circle: ABSENCE-\d+$/),
    ]);
  });

  it('may do so for different applications', async () => {
    await enter({ application: 'TRAVEL', reference: 'FIRST' });
    expect((await enter({ ...back, application: 'LEAVE' })).status).toBe(201);
    expect(await refused({ ...back, startDate: at(1) })).toEqual([409, CIRCLE]);
  });
});

describe('many absences', () => {
  /** Fifteen people, each away for all of a month: for everything and for two applications, in ten parts that overlap. */
  const fill = () =>
    server.database.query(
      `WITH people AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users
           WHERE status = 1 AND NOT sysadmin AND login NOT IN ('bruno.keller', 'chloe.lefevre', 'sophie.bohm')
           ORDER BY id LIMIT 15),
         scopes AS (SELECT NULL::bigint AS id UNION ALL (SELECT id FROM applications ORDER BY id LIMIT 2))
       INSERT INTO absences (user_id, substitute_id, application_id, start_date, end_date)
       SELECT p.id, q.id, s.id, now() + (part * 3 + p.n / 7.0) * interval '1 day', now() + (part * 3 + 3 + p.n / 7.0) * interval '1 day'
       FROM people p JOIN people q ON q.n = p.n + 1, scopes s, generate_series(0, 9) AS part
       RETURNING user_id::text AS "user", substitute_id::text AS substitute`,
    );

  it('do not block other absences in a long chain of people, and circles over them are found', async () => {
    const rows = await fill();
    const substitutes = new Set(rows.map(({ substitute }) => substitute as string));
    const first = rows.find(({ user }) => !substitutes.has(user as string))!.user as string;
    const last = [...substitutes].find((id) => !rows.some(({ user }) => user === id))!;
    const period = { startDate: at(1), endDate: at(24 * 30) };
    const uri = (id: string) => `/directory/users/${id}`;
    expect((await enter({ ...period, substitute: uri(first) })).status).toBe(201);
    expect(await refused({ ...period, user: uri(last), substitute: 'bruno.keller' })).toEqual([
      409,
      expect.stringMatching(/^People would stand in for each other in a circle: ABSENCE-\d+$/),
    ]);
    expect(
      (
        await enter({
          user: uri(last),
          substitute: 'bruno.keller',
          startDate: at(24 * 40),
          endDate: at(24 * 41),
        })
      ).status,
    ).toBe(201);
  });

  it('are limited to a hundred per person that have not ended', async () => {
    await server.database.query(
      `INSERT INTO absences (user_id, substitute_id, start_date, end_date)
       SELECT b.id, c.id, now() + part * interval '1 hour', now() + (part + 1) * interval '1 hour'
       FROM users b, users c, generate_series(-20, 99) AS part WHERE b.login = 'bruno.keller' AND c.login = 'chloe.lefevre'`,
    );
    const later = { startDate: at(200), endDate: at(201) };
    expect(await refused(later)).toEqual([
      409,
      'A person can have at most 100 absences that have not ended',
    ]);
    await server.database.query('DELETE FROM absences WHERE start_date > $1', [at(98)]);
    const { status, body: made } = await enter(later);
    expect(status).toBe(201);
    const change = [{ op: 'replace', path: '/endDate', value: at(202) }];
    expect((await call('PATCH', `${ABSENCES}/${made.id}`, change)).status).toBe(200);
  });
});

describe('an absence', () => {
  const shown = async (token: string) => {
    const { body: list } = await call('GET', ABSENCES, undefined, { token });
    return (list as { reference: string }[]).map(({ reference }) => reference);
  };
  const change = async (id: string, operations: object[], token: string) => {
    const { status } = await call('PATCH', `${ABSENCES}/${id}`, operations, { token });
    return status;
  };

  it('is seen by both people and by administrators only', async () => {
    const { body: made } = await enter({ reference: 'FIRST' });
    expect(await Promise.all([bruno, chloe, sophie, writing.admin].map(shown))).toEqual([
      ['FIRST'],
      ['FIRST'],
      [],
      ['FIRST'],
    ]);
    const get = async (token: string) =>
      (await call('GET', `${ABSENCES}/${made.id}`, undefined, { token })).status;
    expect(await Promise.all([bruno, chloe, sophie].map(get))).toEqual([200, 200, 404]);
  });

  it('can be changed and deleted by the absent person, and not by the substitute', async () => {
    const { body: made } = await enter();
    const later = [{ op: 'replace', path: '/endDate', value: at(30) }];
    const other = [{ op: 'replace', path: '/substitute', value: 'sophie.bohm' }];
    const given = [{ op: 'replace', path: '/user', value: 'sophie.bohm' }];
    expect([
      await change(made.id, later, chloe),
      await change(made.id, later, sophie),
      await change(made.id, given, bruno),
      await change(made.id, later, bruno),
      await change(made.id, other, bruno),
    ]).toEqual([403, 404, 403, 200, 200]);
    const end = async (token: string) =>
      (await call('DELETE', `${ABSENCES}/${made.id}`, undefined, { token })).status;
    expect([await end(chloe), await end(sophie), await end(bruno)]).toEqual([404, 403, 204]);
  });

  it('keeps its reference where the person leaves it out', async () => {
    const { body } = await enter({ reference: 'HOLIDAYS' });
    const endDate = at(9);
    const unnamed = { ...body, reference: undefined, endDate };
    const replaced = await call('PUT', `${ABSENCES}/${body.id}`, unnamed, { token: bruno });
    expect([replaced.status, replaced.body]).toEqual([
      200,
      expect.objectContaining({ reference: 'HOLIDAYS', endDate }),
    ]);
  });

  it('keeps its application when the person does not see it', async () => {
    await call('POST', '/api/v2/navigation/applications', {
      title: 'Secret desk',
      reference: 'SECRET-DESK',
      type: 'PROCESS',
      audience: [uris['sophie.bohm']],
    });
    const { body: made } = await enter({ application: 'SECRET-DESK', reference: 'FIRST' });
    const path = `${ABSENCES}/${made.id}`;
    const seen = await call('GET', path, undefined, { token: bruno });
    expect(seen.body).toMatchObject({ application: null, applicationTitle: 'Secret desk' });
    const later = [{ op: 'replace', path: '/endDate', value: at(30) }];
    expect(await change(made.id, later, bruno)).toBe(200);
    // It is no general rule, so that it does not overlap with one.
    expect((await enter({ reference: 'GENERAL' })).status).toBe(201);
    expect(await change(made.id, later, bruno)).toBe(200);
    const [row] = await server.database.query(
      `SELECT a.reference FROM absences r JOIN applications a ON a.id = r.application_id`,
    );
    expect(row).toEqual({ reference: 'SECRET-DESK' });
  });

  it('goes with either person', async () => {
    const { body: user } = await call('POST', '/api/v2/directory/users', {
      login: 'only.for.a.while',
      lastName: 'While',
      status: 1,
    });
    const { uri, id } = user as { uri: string; id: string };
    await enter({ substitute: uri });
    expect((await call('DELETE', `/api/v2/directory/users/${id}`)).status).toBe(204);
    expect(await shown(bruno)).toEqual([]);
  });

  it('is filtered and sorted like everything else', async () => {
    await enter({ reference: 'NOW' });
    await enter({ reference: 'LATER', startDate: at(24), endDate: at(48) });
    const list = async (filters: string) => {
      const { body: found } = await call(
        'GET',
        ABSENCES + query({ filters, sorter: '-startDate' }),
      );
      return (found as { reference: string }[]).map(({ reference }) => reference);
    };
    expect([
      await list(`user:eq:${uris['bruno.keller']}`),
      await list('active:eq:true'),
      await list(`endDate:gt:${at(25)}`),
    ]).toEqual([['LATER', 'NOW'], ['NOW'], ['LATER']]);
  });
});

describe('an absence of sysadmin', () => {
  const PROTECTED = [403, 'Only the system administrator may change this account'];
  let sysadmin: string;
  beforeAll(async () => {
    sysadmin = await server.signInForLong('sysadmin');
  });
  const message = ({ status, body: answer }: { status: number; body: unknown }) => [
    status,
    (answer as { message?: string }).message,
  ];
  const change = (id: string, name: string, value: string, token?: string) =>
    call(
      'PATCH',
      `${ABSENCES}/${id}`,
      [{ op: 'replace', path: `/${name}`, value }],
      token === undefined ? {} : { token },
    );

  it('can be entered, changed and deleted only by sysadmin', async () => {
    expect(await refused({ user: 'sysadmin', substitute: 'bruno.keller' })).toEqual(PROTECTED);
    const { status, body: made } = await enter({ user: undefined }, sysadmin);
    expect([status, made.user]).toEqual([201, expect.objectContaining({ reference: 'sysadmin' })]);
    expect(message(await change(made.id, 'substitute', 'bruno.keller'))).toEqual(PROTECTED);
    expect(message(await change(made.id, 'user', 'bruno.keller'))).toEqual(PROTECTED);
    expect(message(await call('DELETE', `${ABSENCES}/${made.id}`))).toEqual(PROTECTED);
    expect((await change(made.id, 'substitute', 'bruno.keller', sysadmin)).status).toBe(200);
    const ended = await call('DELETE', `${ABSENCES}/${made.id}`, undefined, { token: sysadmin });
    expect(ended.status).toBe(204);
  });

  it('cannot be made of an absence of another person', async () => {
    const { body: made } = await enter();
    expect(message(await change(made.id, 'user', 'sysadmin'))).toEqual(PROTECTED);
  });

  it('lets administrators enter that of a person for whom sysadmin stands in', async () => {
    expect((await enter({ substitute: 'sysadmin' })).status).toBe(201);
  });
});

describe('whether an absence has an effect', () => {
  const isActive = async (id: string) => {
    const { body: found } = await call('GET', `${ABSENCES}/${id}`);
    return (found as { active: boolean }).active;
  };

  it('is known at once when it is written', async () => {
    const { body: made } = await enter({ startDate: at(1) });
    expect(made.active).toBe(false);
    const patched = await call('PATCH', `${ABSENCES}/${made.id}`, [
      { op: 'replace', path: '/startDate', value: at(-1) },
    ]);
    expect((patched.body as { active: boolean }).active).toBe(true);
  });

  it('follows the clock within seconds, with a new revision and a row of the journal for both people', async () => {
    const { body: made } = await enter({ startDate: at(0.5 / 3600), endDate: at(5 / 3600) });
    const before = await call('GET', `${ABSENCES}/${made.id}`);
    expect(made.active).toBe(false);
    await eventually(async () => expect(await isActive(made.id)).toBe(true), 15_000);
    await eventually(async () => expect(await isActive(made.id)).toBe(false), 15_000);
    const after = await call('GET', `${ABSENCES}/${made.id}`);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const rows = await server.database.rows({
      text: `SELECT operation, ARRAY(SELECT p::text FROM unnest(principals) AS p ORDER BY p) FROM changes
        WHERE kind = 'absences' AND object = $1 ORDER BY id`,
      values: [made.id],
    });
    const both = [
      await idOf(server, 'users', 'bruno.keller'),
      await idOf(server, 'users', 'chloe.lefevre'),
    ].sort((a, b) => Number(a) - Number(b));
    expect(rows).toEqual([
      ['I', both],
      ['U', both],
      ['U', both],
    ]);
  });

  it('is switched once, by whichever process', async () => {
    const { body: made } = await enter({ startDate: at(1) });
    const { app, database } = server;
    // Any other write would switch it.
    await database.query(`ALTER TABLE absences DISABLE TRIGGER absences_set_active;
      UPDATE absences SET start_date = now();
      ALTER TABLE absences ENABLE TRIGGER absences_set_active`);
    await Promise.all([1, 2, 3].map(() => app.get(AbsenceSwitch).run()));
    const [row] = await database.query('SELECT active, revision FROM absences');
    expect([made.active, row]).toEqual([false, { active: true, revision: 2 }]);
  });

  it('ends while the substitute is disabled', async () => {
    const { body: user } = await call('POST', '/api/v2/directory/users', {
      login: 'on.and.off',
      lastName: 'Off',
      status: 1,
    });
    const { uri } = user as { uri: string };
    const { body: made } = await enter({ substitute: uri });
    const set = (status: number) =>
      call('PATCH', `/api/v2${uri}`, [{ op: 'replace', path: '/status', value: status }]);
    await set(0);
    const off = await isActive(made.id);
    await set(1);
    expect([made.active, off, await isActive(made.id)]).toEqual([true, false, true]);
    await enter({ user: 'sophie.bohm', substitute: uri, startDate: at(1) });
    await call('DELETE', `/api/v2${uri}`);
  });
});
