import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { query } from '../support/call.js';
import { startWritingServer, type WritingServer } from '../support/writing-server.js';

/** Names near a misspelled one. */

const PATH = '/navigation/search/workplace';

let writing: WritingServer;
beforeAll(async () => {
  writing = await startWritingServer();
});
afterAll(() => writing.close());

const ask = async (path: string, parameters: Record<string, string>) =>
  (await writing.server.call(path + query(parameters), { token: writing.admin })).body;

const person = (login: string, firstName: string, lastName: string, more = {}) =>
  writing.create('/api/v2/directory/users', {
    login,
    firstName,
    lastName,
    title: `${firstName} ${lastName}`,
    status: 1,
    ...more,
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
