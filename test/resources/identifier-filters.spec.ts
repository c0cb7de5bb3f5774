import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/call.js';
import { DEMO_PASSWORD } from '../support/test-server.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Filters by what identifies an object, by the rule that makes it unique (docs/api-contract.md#text-comparison). */

const TASKS = '/api/v2/process/tasks';
const USERS = '/api/v2/directory/users';
const ORGANIZATIONS = '/api/v2/directory/organizations';
const GROUPS = '/api/v2/directory/groups';
const AUDIT = '/api/v2/administration/audit';

let writing: WritingServer;

beforeAll(async () => {
  writing = await startWritingServer();
  const { create, server } = writing;
  const source = { reference: 'CASE', label: 'An engine', applications: ['EXPENSES'] };
  await create('/api/v2/process/sources', source);
  for (const externalId of ['aB', 'Ab'])
    await create(TASKS, {
      ...{ title: externalId, application: 'EXPENSES', source: 'CASE', externalId },
      ...{ reference: `T-${externalId}`, assignee: 'bruno.keller' },
    });
  for (const name of ['hq-1', 'HQ-1', 'hq-é']) {
    await create(ORGANIZATIONS, { label: 'Same', reference: name, externalId: name });
    await create(GROUPS, { label: 'Same', reference: name, externalId: name });
  }
  for (const [login, externalId, organization] of [
    ['rene.x', 'abC', null],
    ['rené.x', 'ABc', 'HQ-1'],
  ]) {
    const person = { lastName: 'Same', status: 1, password: DEMO_PASSWORD, organization };
    await create(USERS, { ...person, login, email: `${login}@example.com`, externalId });
    await server.signIn(login!);
  }
});
afterAll(() => writing.close());

/** The values of an attribute of the objects that filters find, in the order of their ids. */
async function found(path: string, attribute: string, ...filters: string[]): Promise<unknown[]> {
  const { status, body } = await writing.call('GET', path + query({ filters, sorter: 'id' }));
  expect([status, body]).toEqual([200, expect.any(Array)]);
  return (body as Record<string, unknown>[]).map((one) => one[attribute]);
}

describe('a filter by what identifies an object', () => {
  it.each([
    [TASKS, 'externalId', 'aB', ['aB']],
    [TASKS, 'externalId', 'Ab', ['Ab']],
    [TASKS, 'externalId', 'AB', []],
    [TASKS, 'reference', 'T-aB', ['T-aB']],
    [USERS, 'login', 'rene.x', ['rene.x']],
    [USERS, 'login', 'rené.x', ['rené.x']],
    [USERS, 'login', 'RENÉ.X', ['rené.x']],
    [USERS, 'login', 'rene\u0301.x', ['rené.x']],
    [USERS, 'login', 'ｒｅｎｅ.x', ['rene.x']],
    [USERS, 'reference', 'rene.x', ['rene.x']],
    [USERS, 'email', 'RENE.X@EXAMPLE.COM', ['rene.x@example.com']],
    [USERS, 'email', 'rené.x@example.com', ['rené.x@example.com']],
    [USERS, 'externalId', 'abC', ['abC']],
    [USERS, 'externalId', 'abc', []],
    [ORGANIZATIONS, 'reference', 'hq-1', ['hq-1']],
    [ORGANIZATIONS, 'externalId', 'HQ-1', ['HQ-1']],
    [ORGANIZATIONS, 'reference', 'hq-e', []],
    [GROUPS, 'reference', 'HQ-1', ['HQ-1']],
    [GROUPS, 'externalId', 'hq-é', ['hq-é']],
  ])('%s %s eq %s finds %j', async (path, attribute, value, expected) => {
    expect(await found(path, attribute, `${attribute}:eq:${value}`)).toEqual(expected);
  });

  it.each([
    [TASKS, 'externalId', 'aB', 'title:eq:ab', ['Ab']],
    [USERS, 'login', 'RENE.X', 'lastName:eq:Same', ['rené.x']],
    [USERS, 'email', 'rené.x@example.com', 'lastName:eq:Same', ['rene.x@example.com']],
    [ORGANIZATIONS, 'reference', 'hq-1', 'label:eq:Same', ['HQ-1', 'hq-é']],
  ])('%s %s neq %s finds the others', async (path, attribute, value, within, expected) => {
    expect(await found(path, attribute, `${attribute}:neq:${value}`, within)).toEqual(expected);
  });

  it('finds those without a value by neq', async () => {
    const bruno = 'login:eq:bruno.keller';
    expect(await found(USERS, 'login', bruno, 'externalId:neq:abC')).toEqual(['bruno.keller']);
  });

  it('follows a link to another object', async () => {
    expect(await found(USERS, 'login', 'organization.reference:eq:HQ-1')).toEqual(['rené.x']);
    expect(await found(USERS, 'login', 'organization.reference:eq:hq-1')).toEqual([]);
  });

  it('compares the logins of the audit trail as logins', async () => {
    expect(await found(AUDIT, 'actor', 'actor.reference:eq:RENÉ.X')).toMatchObject([
      { reference: 'rené.x' },
    ]);
    expect(await found(AUDIT, 'actor', 'actor.reference:eq:rene.x')).toMatchObject([
      { reference: 'rene.x' },
    ]);
  });

  it('still ignores case and accents where it looks inside', async () => {
    const started = await found(USERS, 'login', 'login:starts:RENE.X');
    expect(started).toEqual(['rene.x', 'rené.x']);
    expect(await found(TASKS, 'externalId', 'externalId:starts:AB')).toEqual(['aB', 'Ab']);
  });

  it('means the same in a saved filter and in a view', async () => {
    const filters = ['externalId:eq:aB'];
    const { call, bruno, create } = writing;
    const as = { token: bruno };
    await call('POST', '/api/v2/process/task-filters', { label: 'One', filters }, as);
    const { body } = await call('GET', `${TASKS}/waiting/filters`, undefined, as);
    expect(body).toMatchObject([{ label: 'One', count: 1 }]);
    const view = await create('/api/v2/process/views', {
      ...{ label: 'One', application: 'EXPENSES', filters, columns: ['title'] },
    });
    const path = `/api/v2/process/views/${view.id}/records`;
    const { body: records } = await call('GET', path, undefined, as);
    expect(records).toMatchObject([{ externalId: 'aB' }]);
  });
});
