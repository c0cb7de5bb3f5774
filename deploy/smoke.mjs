// Whether an installation works for who calls from here: ready, signs in, lists, searches.
//
//   node deploy/smoke.mjs http://127.0.0.1:3000 sysadmin secrets/sysadmin_password
//
// Prints what the server answered, one line a step; ends with 1 at the first that is not as it should be.
import { readFileSync } from 'node:fs';

const [base, login, passwordFile] = process.argv.slice(2);
if (passwordFile === undefined) {
  console.error('usage: node deploy/smoke.mjs <address> <login> <file with the password>');
  process.exit(2);
}
const password = readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, '');

/** One call; ends the program when the status is another than expected. */
async function call(step, path, { expected = 200, ...options } = {}) {
  const answer = await fetch(base + path, { redirect: 'error', ...options });
  const text = await answer.text();
  const shown = step === 'sign in' && answer.ok ? '' : ` ${text.slice(0, 300)}`;
  console.log(`${answer.status === expected ? 'ok  ' : 'FAIL'} ${step}: ${answer.status}${shown}`);
  if (answer.status !== expected) process.exit(1);
  return text === '' ? undefined : JSON.parse(text);
}

await call('ready', '/health/ready');
await call('without a token', '/api/v2/directory/users', { expected: 401 });
const { token } = await call('sign in', '/api/v2/authentication', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ login, password }),
});
const headers = { 'X-AUTHENTICATION-KEY': token };
await call('who am I', '/api/v2/directory/users/me', { headers });
await call('address', '/api/v2/administration/address-check', { headers });
await call('users', '/api/v2/directory/users?range=0-2', { headers });
const search = `searchName=workplace_searchUsers&searchField=quickSearch&query=`;
const { type } = await call('search', `/navigation/search/workplace?${search}`, { headers });
if (type !== 'success') process.exit(1);
await call('sign out', '/api/v2/authentication', { method: 'DELETE', headers, expected: 204 });
