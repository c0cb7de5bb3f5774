// The calls of a portal by axios.
import axios from 'axios';

const [base, login, password, nickName] = process.argv.slice(2);
const USERS = '/api/v2/directory/users';

async function call(name, config) {
  const answer = await axios({
    baseURL: base,
    validateStatus: () => true,
    ...config,
    responseType: 'arraybuffer',
  });
  const { status, headers, data } = answer;
  console.log([name, status, headers['content-type'], data.toString('base64')].join('\t'));
  return String(headers['content-type']).startsWith('application/json') ? JSON.parse(data) : data;
}

const { token } = await call('sign in', {
  method: 'post',
  url: '/api/v2/authentication',
  data: { login, password },
});
const headers = { 'X-AUTHENTICATION-KEY': token };
const key = { _AuthenticationKey: token };
const params = { range: '0-25', sorter: '-lastName', filters: 'login:contains:e' };
await call('users', { url: USERS, params, headers });
const me = await call('me', { url: `${USERS}/me`, headers });
await call('patch', {
  method: 'patch',
  url: `${USERS}/${me.id}`,
  data: [{ op: 'replace', path: '/nickName', value: nickName }],
  headers: { ...headers, Accept: 'application/json-patch+json' },
});
const workplace = '/navigation/workplace';
const [category] = await call('categories', { url: `${workplace}/categories`, params: key });
const [app] = await call('apps', {
  url: `${workplace}/apps`,
  params: { category: category.id, ...key },
});
await call('indicator', {
  url: `${workplace}/apps/indicator`,
  params: { applicationUri: app.id, ...key },
});
const search = {
  query: 'e',
  searchName: 'workplace_searchUsers',
  searchField: 'quickSearch',
  ...key,
};
const url = '/navigation/search/workplace';
const { data, searchIndexBottom, searchIndexTop } = await call('search', { url, params: search });
await call('next page', { url, params: { ...search, searchIndexBottom, searchIndexTop } });
await call('photo', { url: data[0].PHOTO, params: key });
