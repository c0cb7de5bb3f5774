import { client } from './hey-api/client.gen.js';
import { listTasks, listUsers, search, signIn } from './hey-api/sdk.gen.js';
import type { JsonPatch, UserDisplayed } from './hey-api/types.gen.js';

/** A client that @hey-api/openapi-ts generated; test/resources/openapi/generated-clients.long.spec.ts compiles and runs it. */

const [baseUrl = '', login = '', password = ''] = process.argv.slice(2);
client.setConfig({ baseUrl });
const { data: session } = await signIn({ body: { login, password } });
client.setConfig({ headers: { 'X-AUTHENTICATION-KEY': session?.token } });

const { data: users = [] } = await listUsers({ query: { range: '0-5', sorter: 'login' } });
const names: string[] = users.map(({ login, organization }) => `${login} ${organization?.label}`);

const { data: tasks = [] } = await listTasks({
  query: { range: '0-5', filters: ['assignee:isnotempty', 'status:eq:open'] },
});
const assignees: (string | undefined)[] = tasks.map(({ assignee }) => assignee?.reference);

const { data: found } = await search({
  query: { query: 'martin', searchName: 'workplace_searchUsers', searchField: 'quickSearch' },
});
const titles: string[] = found?.type === 'success' ? found.data.map(({ TITLE }) => TITLE) : [];

const patch: JsonPatch = [
  { op: 'test', path: '/title', value: 'Alice Martin' },
  { op: 'move', from: '/nickName', path: '/title' },
  // @ts-expect-error `add` has a value.
  { op: 'add', path: '/title' },
];
const displayed: UserDisplayed['status'] = 'active';

console.log(JSON.stringify({ names, assignees, titles, patch, displayed }));
