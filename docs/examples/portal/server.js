// A portal in server code. It signs people in at Process Platform and keeps their tokens: the browser sees pages alone.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

const PLATFORM = process.env.PLATFORM_URL ?? 'http://127.0.0.1:3000';
const PORT = Number(process.env.PORT ?? 8080);

/** The tokens of those who are signed in, by the session of this portal. */
const tokens = new Map();

/** Calls the platform. An answer that is no success is thrown: its body, with `status`. */
async function call(path, { token, headers, ...options } = {}) {
  const authentication = token === undefined ? {} : { 'X-AUTHENTICATION-KEY': token };
  const response = await fetch(PLATFORM + path, {
    ...options,
    headers: { ...authentication, ...headers },
  });
  if (response.ok) return response;
  throw { status: response.status, ...(await response.json()) };
}

const escape = (value) => String(value).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Live counters: what arrives goes into the elements that show it. */
const SCRIPT = `
  const set = (key, value) =>
    document.querySelectorAll('[data-count="' + key + '"]').forEach((e) => (e.textContent = value));
  const show = ({ data }) => {
    const { waiting, applications = {} } = JSON.parse(data);
    if (waiting !== undefined) set('waiting', waiting);
    for (const [uri, count] of Object.entries(applications)) set(uri, count ?? '');
  };
  function listen() {
    const source = new EventSource('/events');
    source.addEventListener('counters', show);
    source.addEventListener('changes', show);
    source.addEventListener('end', ({ data }) => {
      source.close();
      if (JSON.parse(data).reason === 'stopping') setTimeout(listen, 3000);
      else location.reload();
    });
    // EventSource reconnects by itself, but not after an answer such as 429 or 503.
    source.onerror = () => source.readyState === EventSource.CLOSED && setTimeout(listen, 10_000);
  }
  if (document.querySelector('[data-count]')) listen();
`;

const page = (title, body) => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>${escape(title)}</title><h1>${escape(title)}</h1>${body}<script>${SCRIPT}</script></html>`;

const signInPage = (message = '') =>
  page(
    'Sign in',
    `<p>${escape(message)}</p><form method="post" action="/sign-in"><input name="login" required>
<input name="password" type="password" required><button>Sign in</button></form>`,
  );

/** Tiles with their counters, and the next tasks. */
async function home(token) {
  const [workplace, inbox] = await Promise.all([
    call('/navigation/workplace', { token }).then((response) => response.json()),
    call('/api/v2/process/tasks/waiting?range=0-5', { token }).then((response) => response.json()),
  ]);
  // Paths are relative to the platform's origin.
  const tile = ({ id, title, link, indicator }) =>
    `<li><a href="${escape(new URL(link || '/workplace', PLATFORM))}">${escape(title)}</a>
<b data-count="${escape(id)}">${indicator?.count ?? ''}</b></li>`;
  const category = ({ title, applications }) =>
    `<h2>${escape(title)}</h2><ul>${applications.map(tile).join('')}</ul>`;
  const task = ({ id, title }) => `<li><a href="/tasks/${id}">${escape(title)}</a></li>`;
  return page(
    'Portal',
    `<p><b data-count="waiting"></b> tasks wait for you</p><ol>${inbox.map(task).join('')}</ol>
${workplace.map(category).join('')}`,
  );
}

/** A task with a button for each outcome. */
async function task(token, id) {
  const response = await call(`/api/v2/process/tasks/${id}`, { token });
  const { title, variables, outcomes } = await response.json();
  const facts = (variables ?? []).map(
    ({ label, value }) => `<dt>${escape(label)}</dt><dd>${escape(JSON.stringify(value))}</dd>`,
  );
  const buttons = (outcomes?.length ? outcomes : [{ name: '', label: 'Done' }]).map(
    ({ name, label }) => `<button name="outcome" value="${escape(name)}">${escape(label)}</button>`,
  );
  return page(
    title,
    `<dl>${facts.join('')}</dl><form method="post"><input name="comment" placeholder="Comment">
<input type="hidden" name="etag" value="${escape(response.headers.get('ETag'))}">${buttons.join('')}</form>`,
  );
}

/** Decides a task, unless it has changed since the person saw it (412). */
function decide(token, id, form) {
  const values = { status: 'done', outcome: form.get('outcome'), comment: form.get('comment') };
  const patch = Object.entries(values).flatMap(([name, value]) =>
    value ? [{ op: 'replace', path: `/${name}`, value }] : [],
  );
  return call(`/api/v2/process/tasks/${id}`, {
    token,
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json-patch+json', 'If-Match': form.get('etag') },
    body: JSON.stringify(patch),
  });
}

/** Passes the stream of counters on: the browser needs no token for it. */
async function relay(token, request, response) {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  const events = await call('/navigation/workplace/events', { token, signal: controller.signal });
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  Readable.fromWeb(events.body)
    .on('error', () => response.destroy())
    .pipe(response);
}

async function answer(request, response) {
  const send = (status, body, headers = {}) =>
    response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(body);
  const form =
    request.method === 'POST' ? new URLSearchParams(await text(request)) : new URLSearchParams();

  if (request.url === '/sign-in' && request.method === 'POST') {
    const signedIn = await call('/api/v2/authentication', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ login: form.get('login'), password: form.get('password') }),
    });
    const session = randomBytes(32).toString('base64url');
    tokens.set(session, (await signedIn.json()).token);
    const cookie = `session=${session}; HttpOnly; SameSite=Strict; Path=/`;
    return send(303, '', { Location: '/', 'Set-Cookie': cookie });
  }

  const session = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
  const token = tokens.get(session);
  if (token === undefined) return send(401, signInPage());
  const id = /^\/tasks\/(\d+)$/.exec(request.url)?.[1];
  try {
    if (request.url === '/events') return await relay(token, request, response);
    if (id !== undefined && request.method === 'POST') {
      await decide(token, id, form);
      return send(303, '', { Location: '/' });
    }
    if (id !== undefined) return send(200, await task(token, id));
    return request.url === '/' ? send(200, await home(token)) : send(404, page('Not found', ''));
  } catch (error) {
    if (error.status === 401) tokens.delete(session);
    throw error;
  }
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    // The platform says what was wrong; anything else is a fault of this portal, or of the network.
    const { status = 502, message = 'The platform does not answer' } = error.status ? error : {};
    if (!error.status) console.error(error);
    if (response.headersSent) return response.destroy();
    response.writeHead(status, { 'Content-Type': 'text/html' });
    response.end(
      status === 401 ? signInPage(message) : page(message, '<p><a href="/">Home</a></p>'),
    );
  });
}).listen(PORT, '127.0.0.1', () => console.log(`portal: http://127.0.0.1:${PORT}`));
