import { Fragment, type ReactNode } from 'react';
import { HttpError } from 'react-admin';
import { ApiProblem, READ_ONLY } from '../../api-client/api.js';
import type { InvalidField } from '../../api-client/types.js';
import { asSentence, forPage, type Reason } from '../../server-messages/translate.js';
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

/** Part of a text: the page's words, or a server message without a translation. */
type Part = string | { quoted: string };

/** A server message in the language of the page, if translated (docs/decisions/0033). */
const inPageLanguage = (reason: Reason): Part =>
  forPage(reason, pageLocale()) ?? { quoted: reason.message };

/** A text of the page around a server message. */
function around(
  texts: Texts,
  key: TextKey,
  { message, ...values }: { message: Part; [name: string]: unknown },
): Part[] {
  const [before = '', after = ''] = texts(key, { ...values, message: '\0' }).split('\0');
  return [before, message, after];
}

/** The server's fault of a value: a translated sentence, or the English message as a quotation. */
function refusal(reason: Reason, texts: Texts): Part[] {
  const said = inPageLanguage(reason);
  return typeof said === 'string'
    ? [asSentence(said)]
    : around(texts, 'invalid.refused', { message: said });
}

/** In a fault of an import, the name for the whole line. */
const WHOLE_LINE = 'line';

const ofField = (field: InvalidField, texts: Texts): Part[] =>
  field.name === WHOLE_LINE
    ? refusal(field, texts)
    : around(texts, 'invalid.field', {
        name: attributeLabel(field.name, texts),
        message: inPageLanguage(field),
      });

const ofFields = (fields: InvalidField[], texts: Texts): Part[] =>
  fields.flatMap((field, at) => [at === 0 ? '' : '; ', ...ofField(field, texts)]);

function partsOf(problem: ApiProblem, texts: Texts): Part[] {
  const { status, code, fields, retryAfter } = problem;
  if (code === READ_ONLY) return [texts('see-as.read-only')];
  switch (status) {
    case 0:
      return [texts('problem.0')];
    case 400:
      return fields.length > 0 ? ofFields(fields, texts) : refusal(problem, texts);
    case 401:
      return [texts('sign-in.ended')];
    case 403:
      return around(texts, 'problem.403', { message: inPageLanguage(problem) });
    case 404:
      return [texts('problem.404')];
    case 409:
      return around(texts, 'problem.409', { message: inPageLanguage(problem) });
    case 412:
      return [texts('problem.412')];
    case 429:
      return [texts('problem.429', { minutes: Math.max(1, Math.ceil(retryAfter / 60)) })];
    case 503:
      return [texts('problem.503')];
    default:
      return around(texts, 'problem.other', { message: inPageLanguage(problem) });
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

/** The faults of a line of a file. */
export const explainLine = (faults: InvalidField[], texts: Texts): ReactNode =>
  show(ofFields(faults, texts));

/** The same as plain text for a file. */
export const explainLinePlainly = (faults: InvalidField[], texts: Texts): string =>
  ofFields(faults, texts)
    .map((part) => (typeof part === 'string' ? part : part.quoted))
    .join('');

/** The fault of one value. */
export const explainFaults = (faults: Reason[], texts: Texts): ReactNode =>
  show(faults.flatMap((fault, at) => [...(at === 0 ? [] : [' ']), ...refusal(fault, texts)]));

/** The reasons of a field, encoded as the error of a form, which must be a text. */
export const asFormError = (reasons: Reason[]): string => JSON.stringify(reasons);

/** The reasons of a field, decoded from the error of a form. */
export const refused = (formError: string, texts: Texts): ReactNode =>
  explainFaults(JSON.parse(formError) as Reason[], texts);

/** The server's error about one field of a body; undefined where it reports none. */
export function faultOf(
  problem: ApiProblem | undefined,
  name: string,
  texts: Texts,
): ReactNode | undefined {
  const found = problem?.fields.find((field) => field.name === name);
  return found && show(refusal(found, texts));
}

/** The message for any thrown value. */
export function explainAny(error: unknown, texts: Texts): ReactNode {
  const problem = problemOf(error);
  if (!problem) throw error;
  return explain(problem, texts);
}
