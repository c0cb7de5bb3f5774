import type { Locale } from '../api-client/types.js';
import { withFrenchSpacing } from '../theme/french-spacing.js';
import type { Template } from './de.js';

interface Catalogue {
  texts: Record<Template, string>;
  words: Record<string, string>;
  or: string;
  rules: Rule[];
}

/** Each page loads the language that it shows. */
const LOADERS: Partial<Record<Locale, () => Promise<Omit<Catalogue, 'rules'>>>> = {
  de: async () => {
    const { de, deWords } = await import('./de.js');
    return { texts: de, words: deWords, or: 'oder' };
  },
  fr: async () => {
    const { fr, frWords } = await import('./fr.js');
    return { texts: withFrenchSpacing(fr), words: frWords, or: 'ou' };
  },
};

const catalogues: Partial<Record<Locale, Catalogue>> = {};

/**
 * Loads the translations into a language; until then its messages have none.
 * @throws Error when they cannot be loaded
 */
export async function loadMessages(locale: Locale): Promise<void> {
  const load = LOADERS[locale];
  if (!load || catalogues[locale]) return;
  const catalogue = await load();
  catalogues[locale] = { ...catalogue, rules: rulesOf(catalogue.texts) };
}

/** What the varying parts look like; any other part may be any text. */
const PARTS: Record<string, string> = {
  attribute: '[\\w. ]+',
  choices: '(?:\\S+, )*\\S+(?: or \\S+)?',
  count: '\\d+',
  field: '\\w+',
  index: '\\d+',
  noun: '[a-z ]+',
  operator: '[^\\s:]*',
  role: '[a-z ]+',
};

interface Rule {
  template: Template;
  pattern: RegExp;
}

/** The templates as patterns; one that fixes more of the text comes first. */
const rulesOf = (texts: Record<Template, string>): Rule[] =>
  (Object.keys(texts) as Template[])
    .sort((a, b) => fixedPartOf(b).length - fixedPartOf(a).length)
    .map((template) => ({ template, pattern: patternOf(template) }));

function fixedPartOf(template: string): string {
  return template.replace(/\{\w+\}/g, '');
}

function patternOf(template: string): RegExp {
  const source = template
    .replace(/[$()*+.?[\\\]^|]/g, '\\$&')
    .replace(/\{(\w+)\}/g, (_, part: string) => `(?<${part}>${PARTS[part] ?? '.*'})`);
  return new RegExp(`^${source}$`, 's');
}

/** Longer messages hold texts of the caller; nobody reads them. */
const LONGEST = 2_000;

/**
 * A message of the server in the language of a page (docs/decisions/0033).
 * @param field the attribute that the message is about: the server begins some messages with its name
 * @returns undefined for a message that has no translation, and for all in English
 */
export function translate(message: string, locale: Locale, field = ''): string | undefined {
  const catalogue = catalogues[locale];
  if (!catalogue || message.length > LONGEST) return undefined;
  return translateAll(message, catalogue, attributeIn(field));
}

/**
 * A message of the server for people who read a page: translated, or without the name of its attribute on an English page,
 * which shows the label of the attribute.
 * @param field as for `translate`
 * @returns undefined for a message that has no translation into the language of the page
 */
export function forPage(message: string, locale: Locale, field = ''): string | undefined {
  if (locale !== 'en') return translate(message, locale, field);
  const messages = message.split('; ');
  return messages.map((one) => withoutName(one, attributeIn(field))).join('; ');
}

/** The last name in the path of a field. */
const attributeIn = (field: string): string => field.split(/[./]/).at(-1) ?? '';

/** Several messages are separated by semicolons, which may also be part of one. */
function translateAll(message: string, catalogue: Catalogue, name: string): string | undefined {
  const messages = message.split('; ');
  const each = messages.map((one) => translateOne(withoutName(one, name), catalogue));
  return each.includes(undefined)
    ? translateOne(withoutName(message, name), catalogue)
    : each.join('; ');
}

const withoutName = (message: string, name: string): string =>
  name !== '' && (message.startsWith(`${name} `) || message.startsWith(`${name}[`))
    ? message.slice(name.length).trimStart()
    : message;

function translateOne(message: string, catalogue: Catalogue): string | undefined {
  for (const { template, pattern } of catalogue.rules) {
    const found = pattern.exec(message);
    const text = found && fill(catalogue.texts[template], found.groups ?? {}, catalogue);
    if (typeof text === 'string') return text;
  }
  return undefined;
}

/** Puts the varying parts of a message into its translation; undefined where a message inside has none. */
function fill(
  text: string,
  parts: Record<string, string>,
  catalogue: Catalogue,
): string | undefined {
  const shown: Record<string, string> = {};
  for (const [name, part] of Object.entries(parts)) {
    const translated = translatePart(name, part, catalogue);
    if (translated === undefined) return undefined;
    shown[name] = translated;
  }
  return text.replace(/\{(\w+)\}/g, (_, name: string) => shown[name] ?? '');
}

function translatePart(name: string, part: string, catalogue: Catalogue): string | undefined {
  switch (name) {
    case 'message':
      return translateAll(part, catalogue, '');
    case 'choices':
      return part.replace(/ or (?=\S+$)/, ` ${catalogue.or} `);
    case 'index':
      return String(Number(part) + 1);
    default:
      return catalogue.words[part] ?? part;
  }
}

/** What is said of a field, as a sentence of its own. */
export const asSentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
