import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idOf } from '../support/id-of.js';
import { query } from '../support/call.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

let server: TestServer;
/** Alice, who reads French. */
let token: string;
let leave: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signIn('alice.martin');
  await write('PATCH', '/directory/users/me', [{ op: 'replace', path: '/locale', value: 'fr' }]);
  token = await server.signIn('alice.martin');
  leave = await idOf(server, 'applications', 'LEAVE');
});
afterAll(() => server.close());

const write = async (method: string, path: string, body: unknown) =>
  (await server.call(`/api/v2${path}`, { method, token, body })).body;

/** The first object of a list, as a person reads it. */
async function shown(path: string, filter: string): Promise<Record<string, unknown>> {
  const parameters = query({ responseMode: 'user', filters: filter });
  return (await server.call(`/api/v2${path}${parameters}`, { token })).body[0];
}

describe('responseMode=user', () => {
  it('shows texts in the language of the caller, without the translations', async () => {
    const application = await shown('/navigation/applications', `id:eq:${leave}`);
    expect(application).toMatchObject({
      title: 'Demandes de congés',
      label: 'Demandes de congés',
      type: 'processus',
      categories: ['Au quotidien', 'Ressources humaines'],
    });
    expect(application).not.toHaveProperty('translations');
  });

  it('shows a link to a translated object by its translation, as the text beside it', async () => {
    const task = await shown('/process/tasks', `application:eq:${leave}`);
    expect(task).toMatchObject({
      application: 'Demandes de congés',
      applicationTitle: 'Demandes de congés',
    });
  });

  it('shows an empty list of links as an empty array', async () => {
    const { id } = await write('POST', '/navigation/applications', { title: 'X', type: 'LINK' });
    expect(await shown('/navigation/applications', `id:eq:${id as string}`)).toMatchObject({
      audience: [],
      categories: [],
      helpLinkJS: null,
    });
  });

  it('shows columns and filters by their labels', async () => {
    const { id } = await write('POST', '/process/views', {
      label: 'Labels',
      application: leave,
      columns: ['title', 'dueDate', 'source'],
      filters: [
        'status:eq:open',
        'status:in:done,cancelled',
        'dueDate:lt:2026-12-01T12:00:00Z',
        'outcome:isempty',
      ],
    });
    expect(await shown('/process/views', `id:eq:${id as string}`)).toMatchObject({
      application: 'Demandes de congés',
      columns: ['Titre', 'Échéance', 'Source'],
      filters: [
        'Statut est ouverte',
        'Statut est parmi terminée, annulée',
        'Échéance est inférieur à 1 déc. 2026, 12:00',
        'Issue est vide',
      ],
      filterMode: expect.not.stringMatching('and'),
    });
  });

  it('shows the kinds of events of an endpoint by their labels', async () => {
    const { id } = await write('POST', '/process/endpoints', {
      label: 'Kinds',
      mode: 'pull',
      kinds: ['task.decided'],
    });
    expect(await shown('/process/endpoints', `id:eq:${id as string}`)).toMatchObject({
      kinds: ['tâche décidée'],
      applications: [],
    });
  });

  it('shows the dates in the states of the audit trail', async () => {
    const { uri } = await write('POST', '/process/tasks', {
      title: 'Audited',
      application: leave,
      dueDate: '2026-12-24T10:00:00Z',
    });
    const { after } = await shown('/administration/audit', `object:eq:${uri as string}`);
    expect(after).toMatchObject({ title: 'Audited', dueDate: '24 déc. 2026, 10:00' });
  });
});
