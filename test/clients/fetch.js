// The calls of a portal by fetch in a browser, for a page of another origin.
/* global window, btoa, TextDecoder */
window.callPlatform = async (base, login, password, nickName) => {
  const lines = [];
  const call = async (name, path, query = {}, options = {}) => {
    const answer = await fetch(`${base}${path}?${new URLSearchParams(query)}`, options);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const body = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    const type = answer.headers.get('Content-Type');
    lines.push([name, answer.status, type, body].join('\t'));
    return type.startsWith('application/json')
      ? JSON.parse(new TextDecoder().decode(bytes))
      : bytes;
  };
  const users = '/api/v2/directory/users';
  const json = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ login, password });
  const signIn = { method: 'POST', headers: json, body };
  const { token } = await call('sign in', '/api/v2/authentication', {}, signIn);
  const headers = { 'X-AUTHENTICATION-KEY': token };
  const key = { _AuthenticationKey: token };
  const query = { range: '0-25', sorter: '-lastName', filters: 'login:contains:e' };
  await call('users', users, query, { headers });
  const me = await call('me', `${users}/me`, {}, { headers });
  const type = 'application/json-patch+json';
  await call(
    'patch',
    `${users}/${me.id}`,
    {},
    {
      method: 'PATCH',
      headers: { ...headers, Accept: type, 'Content-Type': type },
      body: JSON.stringify([{ op: 'replace', path: '/nickName', value: nickName }]),
    },
  );
  const workplace = '/navigation/workplace';
  const [category] = await call('categories', `${workplace}/categories`, key);
  const [app] = await call('apps', `${workplace}/apps`, { category: category.id, ...key });
  await call('indicator', `${workplace}/apps/indicator`, { applicationUri: app.id, ...key });
  const search = {
    query: 'e',
    searchName: 'workplace_searchUsers',
    searchField: 'quickSearch',
    ...key,
  };
  const path = '/navigation/search/workplace';
  const { data, searchIndexBottom, searchIndexTop } = await call('search', path, search);
  await call('next page', path, { ...search, searchIndexBottom, searchIndexTop });
  await call('photo', data[0].PHOTO, key);
  return lines.join('\n');
};
