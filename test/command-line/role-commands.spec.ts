import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CommandResult, runCommand } from '../support/command-line.js';
import { urlOf } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** Roles on the command line (docs/command-line.md). */

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const run = (...args: string[]): Promise<CommandResult> =>
  runCommand(['roles', ...args], { env: { DATABASE_URL: urlOf(database.connection) } });

const rolesOf = async (login: string): Promise<unknown> =>
  JSON.parse((await run('list', '--user', login, '--json')).out);

describe('roles on the command line', () => {
  it('are listed with what they permit', async () => {
    const { out } = await run('list', '--json');
    expect(JSON.parse(out)).toContainEqual({
      reference: 'editor',
      label: 'Editor',
      permissions: ['news:*', 'documents:*', 'faqs:*'],
      shipped: true,
    });
  });

  it('are given in one place and taken away there', async () => {
    const place = ['bruno.keller', 'helpdesk', '--organization', 'SALES'];
    expect(await run('assign', ...place)).toEqual({
      code: 0,
      out: 'bruno.keller has the role helpdesk\n',
      error: '',
    });
    expect(await rolesOf('Bruno.Keller')).toMatchObject([
      { role: 'helpdesk', organization: 'SALES', group: null, application: null },
    ]);
    expect(await run('assign', ...place)).toEqual({
      code: 1,
      out: '',
      error: 'The user has this role there already\n',
    });
    expect(await run('remove', 'bruno.keller', 'helpdesk')).toEqual({
      code: 1,
      out: '',
      error: 'bruno.keller does not have the role helpdesk there\n',
    });
    expect((await run('remove', ...place)).out).toBe(
      'bruno.keller has the role helpdesk no more\n',
    );
    expect(await rolesOf('bruno.keller')).toEqual([]);
  });

  it('are told for a person, permission by permission', async () => {
    await run('assign', 'bruno.keller', 'editor', '--group', 'HIRING');
    const { out } = await runCommand(['users', 'rights', 'bruno.keller', '--json'], {
      env: { DATABASE_URL: urlOf(database.connection) },
    });
    const rows = JSON.parse(out) as { permission: string }[];
    expect(rows.find(({ permission }) => permission === 'faqs:delete')).toEqual({
      permission: 'faqs:delete',
      attributes: null,
      role: 'editor',
      organization: null,
      group: 'HIRING',
      application: null,
    });
    expect(rows).toHaveLength(12);
    await run('remove', 'bruno.keller', 'editor', '--group', 'HIRING');
  });

  it('make an administrator', async () => {
    expect((await run('assign', 'bruno.keller', 'administrator')).code).toBe(0);
    const administrators = () =>
      database.query(`SELECT 1 FROM users WHERE login = 'bruno.keller' AND administrator`);
    expect(await administrators()).toHaveLength(1);
    expect((await run('remove', 'bruno.keller', 'administrator')).code).toBe(0);
    expect(await administrators()).toHaveLength(0);
  });

  it('are known', async () => {
    expect(await run('assign', 'bruno.keller', 'nothing')).toMatchObject({
      code: 1,
      error: expect.stringContaining('role'),
    });
  });
});
