import createClient from 'openapi-fetch';
import type { components, paths } from './platform.js';

/** A client with the types of openapi-typescript; test/resources/openapi/generated-clients.long.spec.ts compiles and runs it. */

const [baseUrl = '', login = '', password = ''] = process.argv.slice(2);
const { data: session } = await createClient<paths>({ baseUrl }).POST('/api/v2/authentication', {
  body: { login, password },
});
const headers = { 'X-AUTHENTICATION-KEY': session?.token };
const api = createClient<paths>({ baseUrl, headers });

const { data: users = [] } = await api.GET('/api/v2/directory/users', {
  params: { query: { range: '0-5', sorter: 'login' } },
});
const names: string[] = users.map(({ login, organization }) => `${login} ${organization?.label}`);

const { data: tasks = [] } = await api.GET('/api/v2/process/tasks', {
  params: { query: { range: '0-5', filters: ['assignee:isnotempty', 'status:eq:open'] } },
});
const assignees: (string | undefined)[] = tasks.map(({ assignee }) => assignee?.reference);

const { data: found } = await api.GET('/navigation/search/workplace', {
  params: {
    query: { query: 'martin', searchName: 'workplace_searchUsers', searchField: 'quickSearch' },
  },
});
const titles: string[] = found?.type === 'success' ? found.data.map(({ TITLE }) => TITLE) : [];

const patch: components['schemas']['JsonPatch'] = [
  { op: 'test', path: '/title', value: 'Alice Martin' },
  { op: 'move', from: '/nickName', path: '/title' },
  // @ts-expect-error `add` has a value.
  { op: 'add', path: '/title' },
];
const displayed: components['schemas']['UserDisplayed']['status'] = 'active';

console.log(JSON.stringify({ names, assignees, titles, patch, displayed }));
