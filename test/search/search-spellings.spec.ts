import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/call.js';
import { idOf } from '../support/id-of.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Words with an umlaut in both spellings, and names near a misspelled one. */

const PATH = '/navigation/search/workplace';

let writing: WritingServer;
beforeAll(async () => {
  writing = await startWritingServer();
});
afterAll(() => writing.close());

const ask = async (path: string, parameters: Record<string, string>) =>
  (await writing.server.call(path + query(parameters), { token: writing.admin })).body;

const find = async (searchName: string, text: string, searchField = 'quickSearch') =>
  (
    (await ask(PATH, { searchName, searchField, query: text })).data as Record<string, string>[]
  ).map(({ TITLE }) => TITLE);

const person = (login: string, firstName: string, lastName: string, more = {}) =>
  writing.create('/api/v2/directory/users', {
    login,
    firstName,
    lastName,
    title: `${firstName} ${lastName}`,
    status: 1,
    ...more,
  });

describe('a word with an umlaut', () => {
  const BOTH = ['Xa Blüchnerstraße', 'Xb Bluechnerstrasse'];
  const TEXTS = [
    'bluechner',
    'Blüchner',
    'BLUCHNERSTRASSE',
    'bluechnerstraße',
    'xb bluechner',
    'chners',
  ];
  const CONTENT = { status: 1, audience: [] };
  const make: Record<string, (title: string, at: number) => Promise<unknown>> = {
    workplace_searchUsers: (title, at) =>
      person(`spelled.${at}`, title.slice(0, 2), title.slice(3)),
    workplace_documents_search: (title) =>
      writing.create('/api/v2/content/documents', { title, ...CONTENT }),
    workplace_news_search: (title) => writing.create('/api/v2/content/news', { title, ...CONTENT }),
    workplace_faq_search: (question) =>
      writing.create('/api/v2/content/faqs', { question, ...CONTENT }),
    workplace_customers_search: (name) =>
      writing.create('/api/v2/content/customers', { name, ...CONTENT }),
    workplace_searchTasks: async (title) =>
      writing.create('/api/v2/process/tasks', {
        title,
        application: await idOf(writing.server, 'applications', 'EXPENSES'),
        assignee: 'alice.martin',
      }),
  };

  it.each(Object.keys(make))('is found in either spelling by %s', async (searchName) => {
    for (const [at, title] of BOTH.entries()) await make[searchName]!(title, at);
    const found = await Promise.all(TEXTS.map((text) => find(searchName, text)));
    expect(found).toEqual([BOTH, BOTH, BOTH, BOTH, ['Xb Bluechnerstrasse'], BOTH]);
  });

  it('is found in a single field, and where `ø` is the vowel', async () => {
    await person('soeren.voellgaard', 'Søren', 'Vøllgaard');
    await person('samuel.quell', 'Samuel', 'Neuquelle');
    expect(await find('workplace_searchUsers', 'Voellgaard', 'lastName')).toEqual([
      'Søren Vøllgaard',
    ]);
    expect(await find('workplace_searchUsers', 'Soeren Vøllgaard')).toEqual(['Søren Vøllgaard']);
    // The spelling itself stays, and `ue` after a vowel or q is no umlaut.
    expect(await find('workplace_searchUsers', 'muel neuq')).toEqual(['Samuel Neuquelle']);
    expect(await find('workplace_searchUsers', 'nequell')).toEqual([]);
  });

  it('ranks like the spelling of the title in the search over everything', async () => {
    const sections = await ask(`${PATH}/all`, { query: 'xa bluechnerstrasse' });
    const [first] = sections.data as { searchName: string; match: string }[];
    expect(first).toMatchObject({ searchName: 'workplace_searchUsers', match: 'title' });
  });

  it('is compared as it is by filters', async () => {
    const path = '/api/v2/directory/users';
    const users = (await ask(path, { filters: 'lastName:contains:bluechner' })) as unknown;
    expect(users).toEqual([expect.objectContaining({ lastName: 'Bluechnerstrasse' })]);
  });
});

describe('GET /navigation/search/workplace/suggestions', () => {
  const suggest = (text: string) => ask(`${PATH}/suggestions`, { query: text });
  const found = (...data: string[]) => ({ type: 'success', data, template: '' });

  beforeAll(async () => {
    await person('xaveria.quillfeder', 'Xaveria', 'Quillfeder');
    await person('vera.quillfedar', 'Vera', 'Quillfedar', { status: 0 });
  });

  it.each([
    ['a missing letter', 'quilfeder', ['Quillfeder']],
    ['a doubled letter', 'Quilllfeder', ['Quillfeder']],
    ['two wrong letters at the end', 'quillfodar', ['Quillfeder']],
    ['two exchanged letters', 'quilfleder', ['Quillfeder']],
    ['a wrong first letter', 'kuillfeder', ['Quillfeder']],
    ['exchanged first letters', 'uqillfeder', ['Quillfeder']],
    ['the name of an inactive person alone', 'quillfedar', ['Quillfeder']],
    ['one misspelled word of two', 'xaveria quilfeder', ['xaveria Quillfeder']],
    ['two misspelled words', 'xaverria quilfeder', ['Xaveria Quillfeder']],
  ])('answers the nearest name for %s', async (_, text, names) => {
    expect(await suggest(text)).toEqual(found(...names));
  });

  it.each([
    ['a text that finds somebody', 'quillf'],
    ['a text that is near nobody', 'xyzzyplugh'],
    ['a short text', 'qx'],
    ['five words', 'xaveria quilfeder b c d'],
    ['three misspelled words', 'xaverria quilfeder kelllr'],
    ['words of different people', 'alice quilfeder'],
    ['characters of patterns', "qu%_\\'"],
  ])('answers nothing for %s', async (_, text) => {
    expect(await suggest(text)).toEqual(found());
  });

  it('answers an error envelope without a text', async () => {
    expect(await ask(`${PATH}/suggestions`, {})).toEqual({
      type: 'error',
      message: expect.stringContaining('query'),
    });
  });
});
