import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeInBrowser, expectAccessible } from '../../support/browser.js';
import { startTestConsole, type TestConsole } from '../../support/console.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startTestConsole();
});
afterAll(() => site.close());

const ABSENCES = '/api/v2/process/absences';

describeInBrowser('Absences in the console', (visits) => {
  it('are listed, and shortened in a form that names conflicts', async () => {
    const made = await site.call(ABSENCES, {
      method: 'POST',
      body: {
        reference: 'SKIING',
        user: 'bruno.keller',
        substitute: 'chloe.lefevre',
        startDate: '2098-01-02T08:00:00Z',
        endDate: '2098-01-20T08:00:00Z',
      },
    });
    expect(made.status).toBe(201);
    const { page, problems } = await site.open(visits, '/absences');
    const row = page.getByRole('row', { name: /SKIING/ });
    await row.getByText('Bruno Keller').waitFor();
    await row.getByText('Chloé Lefèvre').waitFor();
    // Neither the command line nor the console exchanges absences.
    expect(await page.getByRole('link', { name: 'Import' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0);
    await expectAccessible(page);
    await row.getByText('SKIING').click();
    const until = page.getByLabel(/^Until/);
    await until.fill('2097-01-20T08:00');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/must be later than startDate/i).waitFor();
    await until.fill('2098-01-10T08:00');
    const kept = page.waitForResponse(
      (answer) => /^P(UT|ATCH)$/.test(answer.request().method()) && answer.ok(),
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await kept;
    const { endDate } = await site.read(`${ABSENCES}/SKIING`);
    expect(endDate).toMatch(/^2098-01-(09|10)T/);
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });
});
