// Starts an OpenID provider on the loopback interface, to try sign-in with (docs/identity-providers.md). It asks for no
// password: anybody who reaches it can sign in as anyone. Usage: npm run identity-provider -- [--port 4000] [--server http://127.0.0.1:3000]
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { URL, URLSearchParams } from 'node:url';
import { parseArgs } from 'node:util';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4000' },
    server: { type: 'string', multiple: true },
  },
});
const servers = values.server ?? ['http://127.0.0.1:3000', 'http://localhost:3000'];
const issuer = `http://127.0.0.1:${values.port}`;
const portal = `${issuer}/portal`;
const SECRET = 'secret-of-the-portal';
/** People of the demonstration portal, and a person whom it does not know. */
const PEOPLE = ['alice.martin', 'bruno.keller', 'chloe.lefevre', 'a.stranger'];
/** The values of the claim `groups` by login. */
const groups = new Map();
const SCOPES = 'openid profile email groups';
const AN_HOUR = 3600;

const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const [server] = servers;
/** Where the server hears who has signed out. */
const logout = {
  backchannel_logout_uri: `${server}/api/v2/authentication/backchannel-logout`,
  backchannel_logout_session_required: true,
};
const confidential = {
  client_secret: SECRET,
  redirect_uris: [portal],
  response_types: ['code'],
};
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'workplace',
      token_endpoint_auth_method: 'none',
      redirect_uris: servers.map((server) => `${server}/workplace`),
      response_types: ['code'],
      ...logout,
    },
    { client_id: 'portal', ...confidential, ...logout },
    { client_id: 'stranger', ...confidential },
  ],
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
  cookies: { keys: [SECRET] },
  clientBasedCORS: () => true,
  conformIdTokenClaims: false,
  claims: {
    openid: ['sub'],
    profile: ['preferred_username', 'given_name', 'family_name', 'locale', 'groups'],
    email: ['email', 'email_verified'],
  },
  pkce: { required: (_, { clientId }) => clientId === 'workplace' },
  features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: false } },
  // The library keeps logout tokens from inner addresses, where this provider has its server.
  fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  ttl: Object.fromEntries(
    ['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken', 'Interaction', 'Session'].map(
      (kind) => [kind, AN_HOUR],
    ),
  ),
  findAccount: (_, login) => ({
    accountId: login,
    claims: () => ({
      sub: login,
      preferred_username: login,
      given_name: namesIn(login).slice(0, -1).join(' '),
      family_name: namesIn(login).at(-1),
      locale: 'en',
      email: `${login}@example.com`,
      email_verified: true,
      groups: groups.get(login) ?? [],
    }),
  }),
  loadExistingGrant: async ({ oidc: { client, session, provider: own } }) => {
    const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope(SCOPES);
    await grant.save();
    return grant;
  },
});

/** `Nora` and `Newman` of `nora.newman`. */
function namesIn(login) {
  return login.split('.').map((name) => name.charAt(0).toUpperCase() + name.slice(1));
}

const answer = (response, content, type) =>
  response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(content);

const signInPage = () => `<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width" />
  <title>Who are you?</title>
  <style>body { font: 1rem system-ui; max-inline-size: 24rem; margin: 4rem auto } button { font: inherit; margin: .3rem 0 }</style>
  <h1>Who are you?</h1>
  <p>This provider is for trying: it asks for no password.</p>
  <form method="post">
    ${PEOPLE.map((login) => `<button name="login" value="${login}">${login}</button><br>`).join('')}
  </form>
  <form method="post">
    <label>Another login <input name="login" required /></label> <button>Sign in</button>
  </form>
</html>`;

/** The sign-in page. Parameter `login_hint` of the authorization request signs in at once, for command lines. */
async function interact(request, response) {
  const { params } = await provider.interactionDetails(request, response);
  const body = new URLSearchParams(request.method === 'POST' ? await text(request) : '');
  const accountId = body.get('login') ?? params.login_hint;
  if (!accountId) return answer(response, signInPage(), 'text/html');
  await provider.interactionFinished(request, response, { login: { accountId } });
}

/** `POST /people`: sets the groups of a person. `POST /sign-out`: signs a person out everywhere. */
async function administer(request, response, pathname) {
  const form = new URLSearchParams(await text(request));
  const login = form.get('login');
  if (pathname === '/people') groups.set(login, form.getAll('groups'));
  else
    for (const id of ['workplace', 'portal'])
      await (await provider.Client.find(id)).backchannelLogout(login);
  answer(response, '', 'text/plain');
}

const serve = provider.callback();
createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, issuer);
  if (pathname === '/portal') return answer(response, searchParams.get('code') ?? '', 'text/plain');
  const isForAdministrators = ['/people', '/sign-out'].includes(pathname);
  if (!isForAdministrators && !pathname.startsWith('/interaction/'))
    return serve(request, response);
  const work = isForAdministrators ? administer : interact;
  work(request, response, pathname).catch((error) => {
    response.writeHead(400).end(`${error.message}\n`);
  });
}).listen(Number(values.port), '127.0.0.1', () =>
  console.log(`The identity provider for trying listens on ${issuer}
Start the server with: OIDC_ISSUER=${issuer} OIDC_AUDIENCE="workplace, portal" OIDC_NAME="Example Ltd" npm start`),
);
