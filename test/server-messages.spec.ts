import { beforeAll, describe, expect, it } from '@jest/globals';
import { de, deWords, type Template } from '../web/server-messages/de.js';
import { fr, frWords } from '../web/server-messages/fr.js';
import { asSentence, forPage, loadMessages, translate } from '../web/server-messages/translate.js';

/** Messages of the server in the language of a page (docs/decisions/0033). */

beforeAll(() => Promise.all([loadMessages('de'), loadMessages('fr')]));

const TEMPLATES = Object.keys(de) as Template[];
const partsIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].sort();

describe('the catalogues of messages', () => {
  it.each(TEMPLATES)('keep the varying parts of: %s', (template) => {
    expect(partsIn(de[template])).toEqual(partsIn(template));
    expect(partsIn(fr[template])).toEqual(partsIn(template));
  });

  it('have the same words in both languages', () => {
    expect(Object.keys(frWords)).toEqual(Object.keys(deWords));
  });
});

describe('a message of the server', () => {
  it.each<[message: string, field: string, german: string, french: string]>([
    [
      'label must be a string of at most 200 characters',
      'label',
      'darf höchstens 200 Zeichen lang sein',
      'doit avoir au plus 200 caractères',
    ],
    [
      'filters[1] must be a string of at most 500 characters; [2] is required',
      'view.filters',
      'Eintrag 2: darf höchstens 500 Zeichen lang sein; Eintrag 3: ist erforderlich',
      'élément 2\u00a0: doit avoir au plus 500 caractères; élément 3\u00a0: est obligatoire',
    ],
    ['must be 0, 1, 2 or 3', 'status', 'muss 0, 1, 2 oder 3 sein', 'doit être 0, 1, 2 ou 3'],
    [
      '1 user refers to it (as manager); 4 news items refer to it (as audience)',
      '',
      '1 Person verweist darauf (als „Leitung“); 4 Neuigkeiten verweisen darauf (als „Zielgruppe“)',
      '1 personne y fait référence («\u00a0responsable\u00a0»); 4 actualités y font référence («\u00a0public visé\u00a0»)',
    ],
    [
      'dueDate:gt:soon: must be a whole number',
      'filters',
      'dueDate:gt:soon: muss eine ganze Zahl sein',
      'dueDate:gt:soon\u00a0: doit être un nombre entier',
    ],
    [
      "there is no user or group 'no.one'",
      'candidates',
      '„no.one“ (Person oder Gruppe) gibt es nicht',
      '«\u00a0no.one\u00a0» (personne ou groupe) n’existe pas',
    ],
    [
      "'kai' is a user and a group: give the URI",
      'candidates',
      '„kai“ ist der Name von zweien (Person, Gruppe): hier hilft die URI',
      '«\u00a0kai\u00a0» est le nom de deux éléments (personne, groupe)\u00a0: indiquez l’URI',
    ],
    [
      'The login is taken',
      '',
      'Der Wert von „Anmeldename“ ist schon vergeben',
      'la valeur de «\u00a0identifiant\u00a0» est déjà prise',
    ],
  ])('%s', (message, field, german, french) => {
    expect(translate(message, 'de', field)).toBe(german);
    expect(translate(message, 'fr', field)).toBe(french);
    expect(translate(message, 'en', field)).toBeUndefined();
  });

  it.each(['no such number', 'dueDate:gt:soon: no such rule', 'x'.repeat(3_000)])(
    'stays English where no template matches: %.30s',
    (message) => {
      expect(translate(message, 'de')).toBeUndefined();
      expect(translate(message, 'fr')).toBeUndefined();
    },
  );

  it('begins with no name of an attribute on an English page', () => {
    const message = 'email must be an e-mail address; email is too long';
    expect(forPage(message, 'en', 'email')).toBe('must be an e-mail address; is too long');
    expect(forPage(message, 'en')).toBe(message);
    expect(forPage('email must be an e-mail address', 'de', 'email')).toBe(
      'muss eine E-Mail-Adresse sein',
    );
    expect(forPage('no such number', 'de')).toBeUndefined();
  });

  it('is a sentence at its field', () => {
    expect(asSentence('ist erforderlich')).toBe('Ist erforderlich.');
  });
});
