import { Fragment, type ReactNode } from 'react';
import { HttpError } from 'react-admin';
import { ApiProblem } from '../../api-client/api.js';
import { asSentence, forPage } from '../../server-messages/translate.js';
import { pageLocale } from '../../theme/languages.js';
import type { Texts } from '../translations/i18n.js';
import type { TextKey } from '../translations/en.js';
import { attributeLabel } from './value.js';

/** The API error inside an error that a data provider threw. */
export function problemOf(error: unknown): ApiProblem | undefined {
  if (error instanceof ApiProblem) return error;
  const { problem } = (error instanceof HttpError ? error.body : {}) as { problem?: unknown };
  return problem instanceof ApiProblem ? problem : undefined;
}

type InvalidField = ApiProblem['fields'][number];

/** Part of a text: the page's words, or a message of the server that has no translation. */
type Part = string | { quoted: string };

/** A message of the server in the language of the page, where it has one (docs/decisions/0033). */
const inPageLanguage = (message: string, name?: string): Part =>
  forPage(message, pageLocale(), name) ?? { quoted: message };

/** A text of the page around a message of the server. */
function around(
  texts: Texts,
  key: TextKey,
  { message, ...values }: { message: Part; [name: string]: unknown },
): Part[] {
  const [before = '', after = ''] = texts(key, { ...values, message: '\0' }).split('\0');
  return [before, message, after];
}

/** What the server says of a value: a sentence of its own, or its English words as a quotation. */
function refusal(message: string, texts: Texts, name?: string): Part[] {
  const said = inPageLanguage(message, name);
  return typeof said === 'string'
    ? [asSentence(said)]
    : around(texts, 'invalid.refused', { message: said });
}

const ofField = ({ name, message }: InvalidField, texts: Texts): Part[] =>
  around(texts, 'invalid.field', {
    name: attributeLabel(name, texts),
    message: inPageLanguage(message, name),
  });

function partsOf({ status, message, fields, retryAfter }: ApiProblem, texts: Texts): Part[] {
  switch (status) {
    case 0:
      return [texts('problem.0')];
    case 400:
      return fields.length > 0
        ? fields.flatMap((field, at) => [at === 0 ? '' : '; ', ...ofField(field, texts)])
        : refusal(message, texts);
    case 401:
      return [texts('sign-in.ended')];
    case 403:
      return around(texts, 'problem.403', { message: inPageLanguage(message) });
    case 404:
      return [texts('problem.404')];
    case 409:
      return around(texts, 'problem.409', { message: inPageLanguage(message) });
    case 412:
      return [texts('problem.412')];
    case 429:
      return [texts('problem.429', { minutes: Math.max(1, Math.ceil(retryAfter / 60)) })];
    case 503:
      return [texts('problem.503')];
    default:
      return around(texts, 'problem.other', { message: inPageLanguage(message) });
  }
}

/** A message without a translation is English on a page of any language, and marked as such (WCAG 3.1.2). */
const show = (parts: Part[]): ReactNode =>
  parts.map((part, at) => (
    <Fragment key={at}>
      {typeof part === 'string' ? part : <span lang="en">{part.quoted}</span>}
    </Fragment>
  ));

/** An API error in the language of the page. */
export const explain = (problem: ApiProblem, texts: Texts): ReactNode =>
  show(partsOf(problem, texts));

/** The same for a file, which marks no language. */
export const explainPlainly = (problem: ApiProblem, texts: Texts): string =>
  partsOf(problem, texts)
    .map((part) => (typeof part === 'string' ? part : part.quoted))
    .join('');

/**
 * What the server says of a field.
 * @param name of the attribute, with which the server's message may begin
 */
export const refused = (message: string, texts: Texts, name: string): ReactNode =>
  show(refusal(message, texts, name));

/** The server's error about one field of a body; undefined where it reports none. */
export function faultOf(
  problem: ApiProblem | undefined,
  name: string,
  texts: Texts,
): ReactNode | undefined {
  const found = problem?.fields.find((field) => field.name === name);
  return found && refused(found.message, texts, name);
}

/** What to say of whatever was thrown. */
export function explainAny(error: unknown, texts: Texts): ReactNode {
  const problem = problemOf(error);
  if (!problem) throw error;
  return explain(problem, texts);
}
