import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Place, Reason, reason } from '../../src/base/errors/reason.js';
import { type ReasonCode, REASONS } from '../../src/base/errors/reasons.js';
import { type Code, de, deWords } from '../../web/server-messages/de.js';
import { fr, frWords } from '../../web/server-messages/fr.js';
import {
  asSentence,
  forPage,
  loadMessages,
  translate,
} from '../../web/server-messages/translate.js';
import { FOR_PROGRAMMERS } from '../support/reasons.js';

/** Reasons of the server in the language of a page (docs/decisions/0033). */

beforeAll(() => Promise.all([loadMessages('de'), loadMessages('fr')]));

const TRANSLATED = Object.keys(de) as Code[];
const CODES = Object.keys(REASONS) as ReasonCode[];
/** Texts of the pages about several reasons, which are none themselves. */
const PARTS = ['item', 'referenced-once', 'referenced-often'];

const parametersIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].sort();

describe('the table of reasons', () => {
  it('has codes in lower case with hyphens', () => {
    expect(CODES.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
  });

  it('has no code that the server never uses', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('reasons.ts'))
      .map((file) => readFileSync(join('src', file), 'utf8'))
      .join('\n');
    expect(CODES.filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
  });

  it("never uses the names of a reason's place as parameters of a message", () => {
    const places = ['operation', 'op', 'filter', 'index', 'member', 'language', 'text'];
    const named = CODES.filter((code) =>
      parametersIn(REASONS[code]).some((name) => places.includes(name)),
    );
    expect(named).toEqual([]);
  });

  it('is translated, except reasons for programmers', () => {
    const untranslated = CODES.filter((code) => !(code in de) && code !== 'referenced');
    expect(untranslated.sort()).toEqual([...FOR_PROGRAMMERS].sort());
    expect(TRANSLATED.filter((code) => !(code in REASONS))).toEqual(PARTS);
  });
});

describe('the catalogues of messages', () => {
  it.each(TRANSLATED.filter((code) => !PARTS.includes(code)))(
    'name only the parameters of %s',
    (code) => {
      const known = parametersIn(REASONS[code as ReasonCode]);
      for (const text of [de[code], fr[code]])
        expect(parametersIn(text).filter((name) => !known.includes(name))).toEqual([]);
    },
  );

  it('have the same words in both languages', () => {
    expect(Object.keys(frWords)).toEqual(Object.keys(deWords));
  });
});

describe('a reason of the server', () => {
  it.each<[what: Reason, place: Place, english: string, german: string, french: string]>([
    [
      reason('too-long', { max: 200 }),
      {},
      'must be a string of at most 200 characters',
      'darf höchstens 200 Zeichen lang sein',
      'doit avoir au plus 200 caractères',
    ],
    [
      reason('required'),
      { index: 2 },
      '[2] is required',
      'Eintrag 3: ist erforderlich',
      'élément 3\u00a0: est obligatoire',
    ],
    [
      reason('not-one-of', { choices: [0, 1, 2, 3] }),
      {},
      'must be 0, 1, 2 or 3',
      'muss 0, 1, 2 oder 3 sein',
      'doit être 0, 1, 2 ou 3',
    ],
    [
      reason('not-one-of', { choices: ['PROCESS', 'LINK'] }),
      {},
      "must be 'PROCESS' or 'LINK'",
      'muss PROCESS oder LINK sein',
      'doit être PROCESS ou LINK',
    ],
    [
      reason('not-an-integer'),
      { filter: 'dueDate:gt:soon' },
      'dueDate:gt:soon: must be a whole number',
      'dueDate:gt:soon: muss eine ganze Zahl sein',
      'dueDate:gt:soon\u00a0: doit être un nombre entier',
    ],
    [
      reason('unknown-name', { noun: 'group', value: 'no.one' }),
      {},
      "there is no group 'no.one'",
      '„no.one“ (Gruppe) gibt es nicht',
      '«\u00a0no.one\u00a0» (groupe) n’existe pas',
    ],
    [
      reason('view-not-executable', { fault: reason('not-an-integer').at({ filter: 'id:eq:x' }) }),
      {},
      'The view cannot be executed: id:eq:x: must be a whole number',
      'Die Ansicht lässt sich nicht ausführen: id:eq:x: muss eine ganze Zahl sein',
      'la vue ne peut pas être exécutée\u00a0: id:eq:x\u00a0: doit être un nombre entier',
    ],
    [
      reason('too-long', { max: 9 }),
      { index: 0, member: 'translations', language: 'fr', text: 'label' },
      "[0] translations in 'fr': label must be a string of at most 9 characters",
      'Eintrag 1: translations: fr: Bezeichnung: darf höchstens 9 Zeichen lang sein',
      'élément 1\u00a0: translations\u00a0: fr\u00a0: libellé\u00a0: doit avoir au plus 9 caractères',
    ],
  ])('%#', (what, place, english, german, french) => {
    const { presented } = what.at(place);
    expect(presented.message).toBe(english);
    expect(translate(presented, 'de')).toBe(german);
    expect(translate(presented, 'fr')).toBe(french);
    expect(translate(presented, 'en')).toBeUndefined();
    expect(forPage(presented, 'en')).toBe(english);
  });

  it('counts the objects that refer to another one', () => {
    const references = [
      { resource: 'users', attribute: 'manager', count: 1 },
      { resource: 'news', attribute: 'audience', count: 4 },
    ];
    const said = { message: '', code: 'referenced', references };
    expect(translate(said, 'de')).toBe(
      '1 Person verweist darauf (als „Leitung“); 4 news verweisen darauf (als „Zielgruppe“)',
    );
  });

  it('stays English without a translation', () => {
    expect(translate({ message: 'is odd' }, 'de')).toBeUndefined();
    expect(forPage({ message: 'is odd', code: 'odd' }, 'fr')).toBeUndefined();
  });

  it('is a sentence at its field', () => {
    expect(asSentence('ist erforderlich')).toBe('Ist erforderlich.');
  });
});
