import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  isFocused,
  PHONE,
} from '../../support/browser.js';
import { idOf } from '../../support/id-of.js';
import { DEMO_PASSWORD } from '../../support/test-server.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

/** People enter when they are away, and decide for those who are. */

const TASKS = '/api/v2/process/tasks';
const ABSENCES = '/api/v2/process/absences';

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
});
afterEach(() => site.server.database.query('DELETE FROM absences'));
afterAll(() => site.close());

const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** The value of a field of date and time in a hundred days. */
const UNTIL = `${at(2_400).slice(0, 10)}T07:08`;

/** Bruno is away, and Chloé stands in. */
const enter = (more: object = {}) =>
  site.write('POST', ABSENCES, {
    user: 'bruno.keller',
    substitute: 'chloe.lefevre',
    startDate: at(-1),
    endDate: at(24),
    ...more,
  });

/** A task of Bruno's that comes first in every inbox. */
const newTask = (title: string) =>
  site.write('POST', TASKS, {
    title,
    application: 'TRAVEL',
    assignee: 'bruno.keller',
    dueDate: '2020-01-02T03:04:05Z',
  }) as Promise<{ id: string }>;

const banneredUntil = (): RegExp => {
  const [year, , day] = UNTIL.slice(0, 10).split('-');
  return new RegExp(
    `^You are away until ${Number(day)} \\w+ ${year}, 07:08; Chloé Lefèvre stands in\\.$`,
  );
};

describeInBrowser('Absences in the workplace', (visits) => {
  it('are entered in the profile, shown on every page, and ended', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/profile');
    const section = page.getByRole('region', { name: 'When I am away' });
    const submit = section.getByRole('button', { name: 'Save absence' });
    expect(await submit.isDisabled()).toBe(true);
    await section.getByLabel('Until').fill(UNTIL);
    await section.getByRole('button', { name: 'Choose a person' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose a person' });
    await dialog.getByLabel('Find a person').fill('alice');
    await dialog.getByRole('button', { name: 'Alice Martin' }).click();
    await section.getByRole('button', { name: 'Alice Martin' }).click();
    await dialog.getByLabel('Find a person').fill('lefèvre');
    // Nothing is saved by searching.
    await dialog.getByLabel('Find a person').press('Enter');
    await dialog.getByRole('button', { name: 'Chloé Lefèvre' }).click();
    await expectAccessible(page);
    await submit.click();
    const banner = page.getByText(banneredUntil());
    await banner.waitFor();
    const row = section.getByRole('listitem').filter({ hasText: 'Chloé Lefèvre stands in' });
    await row.getByText('now', { exact: true }).waitFor();
    const entered = (await site.read(ABSENCES, 'bruno.keller')) as { id: string }[];
    expect(entered).toHaveLength(1);
    const { id } = entered[0]!;
    expect(await site.read(`${ABSENCES}/${id}`, 'bruno.keller')).toMatchObject({
      active: true,
      application: null,
      endDate: await page.evaluate(`new Date('${UNTIL}').toISOString()`),
    });
    await page.setViewportSize(PHONE);
    await expectToFit(page);
    await expectAccessible(page);
    await page.reload();
    await banner.waitFor();
    await row.getByRole('button', { name: /^End the absence/ }).click();
    await banner.waitFor({ state: 'detached' });
    expect(await section.getByRole('heading').evaluate(isFocused)).toBe(true);
    expect(await site.read(ABSENCES, 'bruno.keller')).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('ask for the password again when the sign-in is older, and keep what was entered', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '/profile');
    const section = page.getByRole('region', { name: 'When I am away' });
    await section.getByLabel('Until').fill(UNTIL);
    await section.getByRole('button', { name: 'Choose a person' }).click();
    await page.getByRole('dialog').getByRole('searchbox').fill('alice');
    await page.getByRole('dialog').getByRole('button', { name: 'Alice Martin' }).click();
    await site.server.database.query(
      `UPDATE tokens SET proof_date = proof_date - interval '301 seconds' WHERE proof_date < now()`,
    );
    const submit = section.getByRole('button', { name: 'Save absence' });
    await submit.click();
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await question.getByLabel('Password').waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await site.read(ABSENCES, 'bruno.keller')).toEqual([]);
    await submit.click();
    await question.getByLabel('Password').fill(DEMO_PASSWORD);
    await question.getByLabel('Password').press('Enter');
    const row = section.getByRole('listitem').filter({ hasText: 'Alice Martin stands in' });
    await row.waitFor();
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  it('say in the language of the page why two do not fit together', async () => {
    await enter({ startDate: at(24), endDate: at(48), reference: 'SKIING' });
    for (const [locale, title, until, choose, submit, tooLong, message] of [
      [
        'de-DE',
        'Wenn ich nicht da bin',
        'Bis',
        'Person auswählen',
        'Abwesenheit eintragen',
        /darf höchstens 366 Tage nach dem Beginn liegen/i,
        'Eine andere Abwesenheit dieser Person überschneidet sich damit: SKIING',
      ],
      [
        'fr-FR',
        'Quand je suis absent',
        'Au',
        'Choisir une personne',
        'Saisir l’absence',
        /doit être au plus tard 366 jours après le début/i,
        /Une autre absence de cette personne chevauche celle-ci\s*: SKIING/,
      ],
    ] as const) {
      await site.server.database.query('UPDATE users SET locale = $1 WHERE login = $2', [
        locale.slice(0, 2),
        'bruno.keller',
      ]);
      const { page } = await site.open(visits, 'bruno.keller', '/profile', { locale });
      const section = page.getByRole('region', { name: title });
      await section.getByLabel(until, { exact: true }).fill('2098-05-06T07:08');
      await section.getByRole('button', { name: choose }).click();
      await page.getByRole('dialog').getByRole('searchbox').fill('alice');
      await page.getByRole('dialog').getByRole('button', { name: 'Alice Martin' }).click();
      await section.getByRole('button', { name: submit }).click();
      await section.getByText(tooLong).waitFor();
      // The label now says what is wrong, too.
      await section.getByLabel(new RegExp(`^${until}`)).fill(UNTIL);
      await section.getByRole('button', { name: submit }).click();
      await section.getByRole('alert').getByText(message).waitFor();
    }
    await site.server.database.query(`UPDATE users SET locale = 'en' WHERE login = 'bruno.keller'`);
  });

  it('put the tasks into the inbox of the substitute, with the person they are for', async () => {
    const { id } = await newTask('Left on the desk');
    await site.server.database.query(
      `UPDATE users SET locale = 'en' WHERE login = 'chloe.lefevre'`,
    );
    const { page, problems } = await site.open(visits, 'chloe.lefevre', '/tasks');
    await page.getByRole('table').waitFor();
    expect(await page.getByText('Left on the desk').count()).toBe(0);
    await enter();
    const row = page.getByRole('row', { name: /Left on the desk/ });
    await row.getByText('for Bruno Keller').waitFor();
    await row.getByRole('link', { name: 'Left on the desk' }).click();
    await page.locator('main').getByText('for Bruno Keller', { exact: true }).waitFor();
    await page.locator('main').getByText('you stand in').waitFor();
    await page.getByLabel('Add a comment').fill('On it');
    await page.getByRole('button', { name: 'Send' }).click();
    const comments = page.getByRole('region', { name: 'Comments' }).getByRole('listitem');
    await comments.getByText('for Bruno Keller').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Mark “Left on the desk” as done' }).click();
    const closure = page.getByRole('region', { name: 'How it was closed' });
    await closure.getByText('for Bruno Keller').waitFor();
    const history = page.getByRole('region', { name: 'History' }).getByRole('listitem').first();
    await history.getByText('for Bruno Keller').waitFor();
    expect(await site.read(`${TASKS}/${id}`)).toMatchObject({
      closedBy: { reference: 'chloe.lefevre' },
      closedFor: { id: await idOf(site.server, 'users', 'bruno.keller') },
    });
    expect(problems).toEqual([]);
  });

  it('name the substitute to the owner on the page of a task', async () => {
    const { id } = await newTask('Watched from afar');
    await enter({ application: 'TRAVEL' });
    const { page } = await site.open(visits, 'bruno.keller', `/tasks/${id}`);
    await page.getByText('Chloé Lefèvre stands in', { exact: true }).waitFor();
    await page
      .getByText(/^You are away until .* for “Business travel”; Chloé Lefèvre stands in\.$/)
      .waitFor();
    expect(await page.getByText('for Bruno Keller').count()).toBe(0);
  });
});
