import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeInBrowser,
  expectAccessible,
  expectToFit,
  heading,
  PHONE,
  takePicture,
  settled,
} from '../../support/browser.js';
import { startTestWorkplace, type TestWorkplace } from '../../support/workplace.js';

const DAY = 86_400_000;

interface Item {
  title: string;
}

let site: TestWorkplace;
beforeAll(async () => {
  site = await startTestWorkplace();
  const news = (title: string, from: number, to: number) =>
    site.write('POST', '/api/v2/content/news', {
      title,
      summary: `About: ${title}`,
      publicationDate: new Date(Date.now() + from * DAY).toISOString(),
      endDate: new Date(Date.now() + to * DAY).toISOString(),
    });
  await news('The bicycle shed is open', -0.01, 30);
  await news('What comes tomorrow', 1, 30);
  await news('What was yesterday', -0.02, -0.01);
});
afterAll(() => site.close());

describeInBrowser('The home page', (visits) => {
  it('begins with the first five tasks of the inbox and leads to all of them', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller');
    const tasks = page.getByRole('region', { name: 'My tasks' });
    await tasks.getByRole('listitem').first().waitFor();
    const waiting = await site.read('/api/v2/process/tasks/waiting?range=0-5', 'bruno.keller');
    expect(await tasks.locator('.task-title').allInnerTexts()).toEqual(
      (waiting as unknown as Item[]).map(({ title }) => title),
    );
    const { count } = await site.read('/api/v2/process/tasks/waiting/counts', 'bruno.keller');
    await tasks.getByRole('link', { name: `All ${count as number} tasks` }).click();
    await heading(page, 'My tasks').waitFor();
    expect(problems).toEqual([]);
  });

  it.each(['alice.martin', 'bruno.keller'] as const)(
    'shows %s the latest news that are out, the newest first',
    async (login) => {
      const { page, problems } = await site.open(visits, login);
      const news = page.getByRole('region', { name: 'News' });
      await news.getByRole('listitem').first().waitFor();
      const titles = await news.locator('.task-title').allInnerTexts();
      expect(titles[0]).toBe('The bicycle shed is open');
      expect(titles).not.toContain('What comes tomorrow');
      expect(titles).not.toContain('What was yesterday');
      await news.getByText('About: The bicycle shed is open').waitFor();
      await news.getByRole('link', { name: 'The bicycle shed is open' }).click();
      await heading(page, 'The bicycle shed is open').waitFor();
      expect(problems).toEqual([]);
    },
  );

  it('uses a wide screen: tasks and news stand beside the tiles', async () => {
    const { page, problems } = await site.open(visits, 'bruno.keller', '', { width: 1920 });
    await page.locator('.tile').first().waitFor();
    await settled(page);
    const [today, tiles] = await Promise.all(
      ['.today', '.all-tiles'].map((part) => page.locator(part).boundingBox()),
    );
    expect(today!.x + today!.width).toBeLessThan(tiles!.x);
    expect(tiles!.x + tiles!.width).toBeGreaterThan(1700);
    await takePicture(page, 'home-wide');
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page, 'color-contrast');
    await takePicture(page, 'home-wide-dark');
    expect(problems).toEqual([]);
  });

  it('fits a phone, in French', async () => {
    const options = { ...PHONE, width: 360, locale: 'fr-FR' };
    const { page, problems } = await site.open(visits, 'chloe.lefevre', '', options);
    await page.locator('.tile').first().waitFor();
    await settled(page);
    await expectToFit(page);
    await takePicture(page, 'home-phone');
    expect(problems).toEqual([]);
  });
});
