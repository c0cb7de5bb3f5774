import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  PHONE,
  settled,
} from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';

/** Tasks of an engine in the console, and people unknown to the directory. */

const TASK = {
  application: 'PURCHASE',
  assignee: 'bruno.keller',
  correlationId: 'case-4711',
  sourceVersion: 7,
  outcomes: [{ name: 'yes', label: 'Approve' }, { name: 'no' }],
  variables: [
    { name: 'amount', label: 'Amount in €', value: 1234.5 },
    { name: 'urgent', label: 'Urgent', value: true },
    {
      name: 'lines',
      label: 'Order lines',
      value: [
        { article: 'Chair', pieces: 4 },
        { article: 'Desk', pieces: 2 },
      ],
    },
    { name: 'rate', label: 'Rate', value: 0.00042 },
    { name: 'day', label: 'Day', value: '2026-02-30' },
    { name: 'raw', label: 'Raw', value: { deep: { er: 1 } } },
  ],
};

let site: TestConsole;
let source: string;
beforeAll(async () => {
  site = await startTestConsole();
  source = await create('/api/v2/process/sources', {
    reference: 'ERP',
    label: 'ERP of Rennes',
    serviceAccount: 'process.engine',
    applications: ['PURCHASE'],
    fallbackGroup: 'HIRING',
  });
  await create('/api/v2/process/endpoints', {
    label: 'Worker',
    mode: 'pull',
    source: 'ERP',
    confirms: true,
  });
});
afterAll(() => site.close());

async function create(path: string, body: object): Promise<string> {
  const answer = await site.call(path, { method: 'POST', body });
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body.id as string;
}

/** Pushes a task as its engine; answers its id. */
async function push(externalId: string, more: object = {}): Promise<string> {
  const token = await site.server.signIn('process.engine');
  const body = [{ ...TASK, externalId, title: `Order ${externalId}`, ...more }];
  const path = '/api/v2/process/tasks?source=ERP';
  const answer = await site.server.call(path, { method: 'PUT', token, body });
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"stored":true')]);
  return String((answer.body.results as { uri: string }[])[0]!.uri)
    .split('/')
    .at(-1)!;
}

async function decide(id: string): Promise<void> {
  const token = await site.server.signIn('bruno.keller');
  const body = [
    { op: 'replace', path: '/status', value: 'done' },
    { op: 'replace', path: '/outcome', value: 'yes' },
    { op: 'replace', path: '/comment', value: 'As agreed' },
  ];
  const answer = await site.server.call(`/api/v2/process/tasks/${id}`, {
    method: 'PATCH',
    token,
    body,
    headers: { 'Content-Type': 'application/json-patch+json' },
  });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}

/** The facts of a section as texts, without those inside of others. */
const factsOf = (page: Page, section: string): Promise<string[][]> =>
  page
    .getByRole('region', { name: section, exact: true })
    .locator('dl')
    .first()
    .evaluate((list: { children: Iterable<{ children: Iterable<{ innerText: string }> }> }) =>
      [...list.children].map(({ children }) => [...children].map(({ innerText }) => innerText)),
    );

describeInBrowser('Tasks of engines in the console', (visits) => {
  it('show the decision with its author, its moment and the answer of the engine', async () => {
    const id = await push('o1');
    await decide(id);
    const { page, problems } = await site.open(visits, `/tasks/${id}`);
    await page.getByRole('region', { name: 'Decision', exact: true }).waitFor();
    const decision = await factsOf(page, 'Decision');
    expect(decision.map(([name]) => name)).toEqual([
      ...['Outcome', 'Comment', 'Closed by', 'Completed', 'Answer of the engine'],
    ]);
    expect(Object.fromEntries(decision)).toMatchObject({
      Outcome: 'yes',
      Comment: 'As agreed',
      'Closed by': 'Bruno Keller',
      'Answer of the engine': 'Waits for the engine',
    });
    await expectAccessible(page);

    await site.server.database.query(
      `UPDATE tasks SET status = 'open', confirmation = 'refused', refusal_reason = 'No budget',
         outcome = NULL, comment = NULL, closed_by_id = NULL WHERE id = $1`,
      [id],
    );
    await page.reload();
    await page.getByText('No budget', { exact: true }).waitFor();
    expect(await factsOf(page, 'Decision')).toEqual([
      ['Answer of the engine', 'Refused'],
      ['Reason of the refusal', 'No budget'],
    ]);
    await page.getByRole('link', { name: 'ERP of Rennes' }).click();
    await heading(page, 'ERP of Rennes').waitFor();
    expect(problems).toEqual([]);
  });

  it('show the data of the engine: its ids, and its variables by their labels', async () => {
    const id = await push('o2');
    const { page, problems } = await site.open(visits, `/tasks/${id}`);
    const engine = page.getByRole('region', { name: 'From the engine', exact: true });
    await engine.waitFor();
    const facts = await factsOf(page, 'From the engine');
    expect(facts.map(([name]) => name)).toEqual([
      ...['Source', 'External ID', 'Version at the source', 'Correlation', 'Variables'],
      'Outcomes to choose from',
    ]);
    expect(Object.fromEntries(facts)).toMatchObject({
      Source: 'ERP of Rennes',
      'External ID': 'o2',
      'Version at the source': '7',
      Correlation: 'case-4711',
      'Outcomes to choose from': 'Approve (yes)\nno',
    });
    const variable = (label: string) =>
      engine
        .locator('dl dl > div', { has: page.getByText(label, { exact: true }) })
        .locator('dd')
        .innerText();
    expect(await variable('Amount in €')).toBe('1,234.5');
    expect(await variable('Urgent')).toBe('Yes');
    expect(await variable('Rate')).toBe('0.00042');
    expect(await variable('Day')).toBe('2026-02-30');
    expect(await variable('Order lines')).toBe('article\tpieces\nChair\t4\nDesk\t2');
    expect(await variable('Raw')).toContain('"er": 1');
    // Nothing of it can be written here, and a task that is open has no decision.
    expect(await page.getByLabel('External ID').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Decision', exact: true }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('show no data of an engine without one', async () => {
    const id = await create('/api/v2/process/tasks', { title: 'By hand', application: 'PURCHASE' });
    const { page, problems } = await site.open(visits, `/tasks/${id}`);
    await page.getByRole('region', { name: 'Maintained by the server' }).waitFor();
    expect(await page.getByText('From the engine', { exact: true }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('fit a phone in the dark, in German and French', async () => {
    const id = await push('o3');
    await decide(id);
    for (const [locale, decision] of [
      ['de-DE', 'Entscheidung'],
      ['fr-FR', 'Décision'],
    ] as const) {
      const { page, problems } = await site.open(visits, `/tasks/${id}`, {
        ...PHONE,
        locale,
        colorScheme: 'dark',
      });
      await page.getByRole('region', { name: decision, exact: true }).waitFor();
      await settled(page);
      await expectToFit(page);
      await expectAccessible(page);
      expect(problems).toEqual([]);
    }
  });
});

describeInBrowser('The page of a source', (visits) => {
  it('lists unknown people with the date of their oldest task, and links to their tasks', async () => {
    const { page, problems } = await site.open(visits, `/sources/${source}`);
    await page
      .getByText('The directory knows everyone whom the source names in open tasks.')
      .waitFor();
    const first = await push('u1', { assignee: 'gone.person' });
    await push('u2', { assignee: 'gone.person' });
    await push('u3', { assignee: 'other.person' });
    await page.reload();
    const unknown = page.getByRole('region', { name: 'Unknown people and groups' });
    await unknown.getByText('gone.person', { exact: true }).waitFor();
    await unknown
      .getByText(/^2 open tasks, the oldest since \d+ \w{3,4} \d{4}, \d\d:\d\d$/)
      .waitFor();
    await unknown.getByText(/^1 open task, since \d+ \w{3,4} \d{4}, \d\d:\d\d$/).waitFor();
    const theirs = unknown.getByRole('list', { name: 'gone.person' });
    expect(await theirs.getByRole('listitem').allInnerTexts()).toEqual([
      'Order u1 u1',
      'Order u2 u2',
    ]);
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await settled(page);
    await expectToFit(page);
    await theirs.getByRole('link', { name: 'Order u1' }).click();
    await page.waitForURL(new RegExp(`/tasks/${first}$`));
    await page.goBack();

    await unknown.getByRole('link', { name: 'All open tasks of the group' }).click();
    await heading(page, 'Tasks').waitFor();
    await page.getByRole('link', { name: 'Order u3' }).waitFor();
    expect(await page.getByRole('link', { name: /^Order / }).count()).toBe(3);
    await page.goBack();

    await create('/api/v2/directory/users', { login: 'gone.person', lastName: 'Back', status: 1 });
    await page.reload();
    await unknown
      .getByText('Known by now: the next push of the tasks gives them to Back.')
      .waitFor();
    expect(problems).toEqual([]);
  });
});
