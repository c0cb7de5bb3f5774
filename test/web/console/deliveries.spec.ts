import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible } from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';
import { allow, ENDPOINTS, SECRETS_KEY } from '../../support/endpoints.js';
import { eventually } from '../../support/eventually.js';
import { idOf } from '../../support/id-of.js';
import { type Receiver, startReceiver, status } from '../../support/receiver.js';

let site: TestConsole;
let receiver: Receiver;
beforeAll(async () => {
  site = await startTestConsole({ SECRETS_KEY });
  await allow(site.server, '127.0.0.0/8');
});
afterAll(() => site.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await site.server.database.query('DELETE FROM endpoints');
  await receiver.close();
});

const create = async (path: string, body: object): Promise<string> => {
  const answer = await site.call(path, { method: 'POST', body });
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body.id as string;
};

/** An endpoint of the mode push, without a secret yet. */
const endpoint = (more: object = {}): Promise<string> =>
  create(ENDPOINTS, { label: 'Engine', mode: 'push', url: receiver.url, ...more });

const secret = (id: string) =>
  site.call(`${ENDPOINTS}/${id}/secrets`, { method: 'POST', body: {} });

const task = async (title: string): Promise<string> => {
  const application = await idOf(site.server, 'applications', 'PURCHASE');
  return create('/api/v2/process/tasks', { title, application });
};

const stateOf = (id: string) =>
  site.server.database.query('SELECT status, attempts FROM deliveries WHERE endpoint_id = $1', [
    id,
  ]);

describeInBrowser('Deliveries in the console', (visits) => {
  it('say at once on the overview and on the endpoint why the last attempt failed, and are tried now', async () => {
    const id = await endpoint({ label: 'Failing engine' });
    await secret(id);
    receiver.usual = status(500);
    await task('Order that fails');
    await eventually(async () =>
      expect(await stateOf(id)).toEqual([{ status: 'waiting', attempts: 1 }]),
    );
    const { page, problems } = await site.open(visits, '/');
    const banner = page.getByRole('status').filter({ hasText: 'Failing engine' });
    await banner.getByText(/^The last attempt failed on .*: status 500\.$/).waitFor();
    await banner.getByRole('link').click();
    const state = page.locator('[data-state=error]');
    await state.getByText(/^The last attempt failed on .*: status 500\.$/).waitFor();
    expect(await page.getByText('No event has been sent yet.').count()).toBe(0);
    await page.getByRole('link', { name: 'Order that fails' }).waitFor();
    // A slow machine is at its second attempt by now.
    await page.getByText(/\d attempts? · .* · status 500$/).waitFor();
    await expectAccessible(page);
    receiver.usual = status(204);
    await state.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('The deliveries are tried now').waitFor();
    await page.getByText(/^Nothing is wrong: the last event was taken on /).waitFor();
    expect(problems).toEqual([]);
  });

  it('show why a task did not arrive, each attempt, and send it again', async () => {
    const id = await endpoint();
    await secret(id);
    receiver.usual = status(400);
    const order = await task('Order of the deliveries');
    await eventually(async () =>
      expect(await stateOf(id)).toEqual([{ status: 'waiting', attempts: 1 }]),
    );
    const { page, problems } = await site.open(visits, `/endpoints/${id}`);
    await page.getByText('1 delivery waits, the oldest since').waitFor();
    await page.getByText('task.created').waitFor();
    await page.getByLabel('Why did this task not arrive?').fill('Order of the');
    await page.getByRole('option', { name: /Order of the deliveries/ }).click();
    await page
      .getByText(/^The newest event waits for its next attempt on .*: status 400\.$/)
      .waitFor();
    await page.getByRole('button', { name: /Show attempts of/ }).click();
    await page
      .getByRole('list', { name: 'Attempts' })
      .getByText(/ · status 400 · \d+ ms$/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await site.server.database.query(
      `UPDATE deliveries SET status = 'failed', completion_date = now() WHERE task_id = $1`,
      [order],
    );
    await page.reload();
    await page.getByText('1 delivery has failed for good.').waitFor();
    receiver.usual = status(204);
    await page.getByRole('button', { name: /Send \d+ again/ }).click();
    await page.getByText('1 delivery is sent again').waitFor();
    await eventually(async () =>
      expect(await stateOf(id)).toEqual([{ status: 'delivered', attempts: 1 }]),
    );
    expect(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(problems).toEqual([]);
  });

  it('say that an endpoint wants no such task, was created later, or is paused', async () => {
    const early = await task('Early order');
    const leave = await idOf(site.server, 'applications', 'LEAVE');
    const others = await endpoint({ applications: [leave] });
    const paused = await endpoint({ status: 'paused' });
    const late = await task('Late order');
    await eventually(async () => expect(await stateOf(paused)).toHaveLength(1));
    const { page, problems } = await site.open(visits, `/endpoints/${others}`);
    const ask = async (title: string, answer: string): Promise<void> => {
      await page.getByLabel('Why did this task not arrive?').fill(title);
      await page.getByRole('option', { name: new RegExp(title) }).click();
      await page.getByText(answer).waitFor();
    };
    await ask('Late order', 'The endpoint wants only tasks of other applications.');
    await page.goto(site.address(`/endpoints/${paused}`));
    await page
      .getByText('This endpoint is paused.')
      .or(page.getByText('no valid secret'))
      .first()
      .waitFor();
    await ask('Late order', 'The endpoint is paused: its events wait.');
    await ask('Early order', 'The task last changed before the endpoint was created.');
    expect([early, late].every(Boolean)).toBe(true);
    expect(problems).toEqual([]);
  });

  it('take the kinds of events and the variables of an adapter from a form', async () => {
    const id = await endpoint();
    const { page, problems } = await site.open(visits, `/endpoints/${id}`);
    await page.getByLabel('Kinds of events').fill('decided');
    await page.getByRole('option', { name: 'task.decided', exact: true }).click();
    await page.getByLabel('Kinds of events').fill('columns');
    await page.getByText('Nothing found').waitFor();
    await page.getByLabel('Kinds of events').fill('');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await site.read(`${ENDPOINTS}/${id}`)).toMatchObject({ kinds: ['task.decided'] });

    const source = await create('/api/v2/process/sources', {
      label: 'Camunda',
      serviceAccount: await idOf(site.server, 'users', 'process.engine'),
    });
    const adapted = await endpoint({ adapter: 'camunda7', source });
    await page.goto(site.address(`/endpoints/${adapted}`));
    await page.getByLabel('Variables').fill('approval=outcome');
    await page.keyboard.press('Enter');
    await page.getByLabel('Variables').fill('actor');
    await save.click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await site.read(`${ENDPOINTS}/${adapted}`)).toMatchObject({
      variables: ['approval=outcome', 'actor'],
    });
    expect(problems).toEqual([]);
  });

  it('show the completed ones of a pull endpoint, whose form has only fields of its mode', async () => {
    const id = await endpoint({ mode: 'pull', url: null });
    const { page, problems } = await site.open(visits, `/endpoints/${id}`);
    const state = page.locator('[data-state]');
    await state.getByText('No worker has completed an event yet.').waitFor();
    await state.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('The test event is on its way').waitFor();
    const work = (call: string, body: object) =>
      site.call(`${ENDPOINTS}/${id}/${call}`, { method: 'POST', body: { worker: 'w', ...body } });
    const { body } = await work('fetch', { wait: 20 });
    const deliveries = (body.deliveries as { id: string }[]).map((one) => one.id);
    expect((await work('complete', { deliveries })).status).toBeLessThan(300);
    await page.reload();
    await state.getByText(/^Nothing is wrong: the last event was taken on /).waitFor();
    expect(await page.getByText('Last delivery').count()).toBe(0);
    const expectFields = (...names: string[]) =>
      eventually(async () => {
        const fields = await page.locator('[data-attribute]').all();
        const shown = fields.map((one) => one.getAttribute('data-attribute'));
        expect(await Promise.all(shown)).toEqual(names);
      });
    await expectFields(
      ...['label', 'mode', 'status', 'account', 'source', 'confirms', 'kinds', 'applications'],
      ...['content', 'reference'],
    );
    await expectAccessible(page);
    const choose = async (attribute: string, option: string): Promise<void> => {
      await page.locator(`[data-attribute=${attribute}] [role=combobox]`).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('mode', 'Push');
    await expectFields(
      ...['label', 'mode', 'url', 'status', 'adapter', 'source', 'confirms', 'kinds'],
      ...['applications', 'content', 'signature', 'reference'],
    );
    await choose('adapter', 'Flowable');
    await expectFields(
      ...['label', 'mode', 'url', 'status', 'adapter', 'variables', 'source'],
      ...['applications', 'reference'],
    );
    // What the server would refuse stays, to be emptied.
    await page.locator('[data-attribute=url] input').fill('https://engine.example/');
    await choose('mode', 'Pull');
    await expectFields(
      ...['label', 'mode', 'url', 'status', 'account', 'adapter', 'variables', 'source'],
      ...['applications', 'reference'],
    );

    await page.goto(site.address('/endpoints'));
    const cells = page.getByRole('row', { name: /Engine/ }).getByRole('cell');
    await page.getByRole('columnheader', { name: 'Source' }).waitFor();
    await cells.getByText('All', { exact: true }).first().waitFor();
    expect(await cells.getByText('All', { exact: true }).count()).toBe(2);
    await page.getByRole('link', { name: 'Create' }).waitFor();
    expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0);
    await page.goto(site.address('/endpoints/import'));
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('make a secret, which is shown once, and send a test event', async () => {
    const id = await endpoint();
    const { page, problems } = await site.open(visits, '/endpoints');
    const stateInList = (state: string) =>
      page.getByRole('row').getByText(state, { exact: true }).waitFor();
    await stateInList('No secret');
    await expectAccessible(page);
    await page.goto(site.address(`/endpoints/${id}`));
    await page.getByText('This endpoint has no valid secret, so nothing is sent.').waitFor();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'New secret' });
    await dialog.getByText(/^whsec_/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await receiver.hasGot(1);
    expect(receiver.messages[0]!.body.type).toBe('endpoint.test');
    await page.goto(site.address('/endpoints'));
    await stateInList('Active');
    expect(problems).toEqual([]);
  });

  it('set the credentials of an engine, and say why a decision was refused', async () => {
    const source = await create('/api/v2/process/sources', {
      label: 'Flowable',
      serviceAccount: await idOf(site.server, 'users', 'process.engine'),
    });
    const id = await endpoint({ adapter: 'flowable', source });
    const { page, problems } = await site.open(visits, `/endpoints/${id}`);
    await page.getByText('No event has been sent yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Make a new secret' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Set credentials' }).click();
    const dialog = page.getByRole('dialog', { name: 'Credentials of the engine' });
    await dialog.getByLabel('User or client id').fill('rest-admin');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('is required with the scheme basic').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Password, token or client secret').fill('test');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The credentials are stored', { exact: true }).waitFor();
    receiver.usual = status(
      400,
      { 'Content-Type': 'application/json' },
      JSON.stringify({ exception: 'The budget is spent' }),
    );
    const application = await idOf(site.server, 'applications', 'PURCHASE');
    const order = { title: 'Refused order', application, source, externalId: '17' };
    const refused = await create('/api/v2/process/tasks', order);
    const tasks = '/api/v2/process/tasks';
    const body = [{ op: 'replace', path: '/status', value: 'done' }];
    await site.call(`${tasks}/${refused}`, { method: 'PATCH', body });
    await eventually(async () =>
      expect(await stateOf(id)).toEqual([{ status: 'delivered', attempts: 1 }]),
    );
    expect(receiver.messages[0]!.headers.authorization).toBe('Basic cmVzdC1hZG1pbjp0ZXN0');
    await create(tasks, { ...order, title: 'Undecided order', externalId: '18' });
    const ask = async (title: string, answer: RegExp): Promise<void> => {
      await page.getByLabel('Why did this task not arrive?').fill(title);
      await page.getByRole('option', { name: new RegExp(title) }).click();
      await page.getByText(answer).waitFor();
    };
    await ask(
      'Refused order',
      /^The engine refused the newest decision on .*: The budget is spent\./,
    );
    await ask('Undecided order', /^There is no decision for the engine/);
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
    const ofSource = await site.open(visits, `/sources/${source}`);
    await ofSource.page.locator(`a[href$="/endpoints/${id}"]`).click();
    await ofSource.page.waitForURL(`**/endpoints/${id}`);
    expect(ofSource.problems).toEqual([]);
  });

  it('are announced on the home page when they have failed or are about to', async () => {
    const id = await endpoint({ label: 'Order engine' });
    const { page, problems } = await site.open(visits, '/');
    await page.getByRole('heading', { name: 'Latest changes' }).waitFor();
    expect(await page.getByText('does not take all events').count()).toBe(0);
    await site.server.database.query(
      `INSERT INTO deliveries (endpoint_id, kind, data, status, attempts, next_attempt)
        SELECT $1, 'endpoint.test', '{}', s, 7, now() + interval '1 hour' FROM unnest('{failed,waiting}'::text[]) AS s`,
      [id],
    );
    await page.reload();
    const banner = page.getByRole('status').filter({ hasText: 'Order engine' });
    await banner.getByText('1 delivery has failed for good.').waitFor();
    await banner.getByText('1 delivery waits, the oldest since').waitFor();
    await banner.getByText('The most tried delivery has used 70% of its attempts.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Order engine does not take all events' }).click();
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('are sent again by period', async () => {
    const id = await endpoint({ mode: 'pull', url: null });
    await site.server.database.query(
      `INSERT INTO deliveries (endpoint_id, kind, data, status, creation_date)
        SELECT $1, 'endpoint.test', '{}', 'delivered', now() - make_interval(days => n) FROM generate_series(1, 3) AS n`,
      [id],
    );
    const { page, problems } = await site.open(visits, `/endpoints/${id}`);
    await page.getByRole('button', { name: 'Resend a period' }).click();
    const dialog = page.getByRole('dialog', { name: 'Resend a period' });
    const day = (ago: number) =>
      new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 11) + '00:00';
    await dialog.getByLabel('From').fill(day(0));
    await dialog.getByLabel('To').fill(day(1));
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByText('must be later than from').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('From').fill(day(30));
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The events of this time are sent again').waitFor();
    const waiting = await stateOf(id);
    expect(waiting.filter((delivery) => delivery.status === 'waiting').length).toBeGreaterThan(0);
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  it.each([
    ['fr', 'Livraisons', 'Ce point de terminaison est en pause.'],
    ['de', 'Zustellungen', 'Dieser Endpunkt ist angehalten.'],
  ])('are there in %s', async (locale, title, state) => {
    const id = await endpoint({ status: 'paused' });
    await secret(id);
    const { page, problems } = await site.open(visits, `/endpoints/${id}`, { locale });
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await page.getByText(state).waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });
});
