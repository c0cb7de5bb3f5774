import { HttpError } from 'react-admin';
import { ApiProblem } from '../api-client/api.js';
import type { Texts } from './i18n.js';

/** The refusal inside of what a data provider threw. */
export function problemOf(error: unknown): ApiProblem | undefined {
  if (error instanceof ApiProblem) return error;
  const { problem } = (error instanceof HttpError ? error.body : {}) as { problem?: unknown };
  return problem instanceof ApiProblem ? problem : undefined;
}

/** A refusal in the words of whoever reads it; what is specific to it is the server's own text. */
export function explain({ status, message, fields, retryAfter }: ApiProblem, texts: Texts): string {
  switch (status) {
    case 0:
      return texts('problem.0');
    case 400:
      return fields.length > 0
        ? fields.map((field) => texts('invalid.field', { ...field })).join('; ')
        : texts('invalid.refused', { message });
    case 401:
      return texts('sign-in.ended');
    case 403:
      return texts('problem.403', { message });
    case 404:
      return texts('problem.404');
    case 409:
      return texts('problem.409', { message });
    case 412:
      return texts('problem.412');
    case 429:
      return texts('problem.429', { minutes: Math.max(1, Math.ceil(retryAfter / 60)) });
    case 503:
      return texts('problem.503');
    default:
      return texts('problem.other', { message });
  }
}

/**
 * What the server says of a field. Its text is English in every language: the contract has no codes for
 * it, and texts are not to be read by programs. So the frame says whose words these are.
 */
export function faultOf(
  problem: ApiProblem | undefined,
  name: string,
  texts: Texts,
): string | undefined {
  const found = problem?.fields.find((field) => field.name === name);
  return found && texts('invalid.refused', { message: found.message });
}

/** What to say of whatever was thrown. */
export function explainAny(error: unknown, texts: Texts): string {
  const problem = problemOf(error);
  if (!problem) throw error;
  return explain(problem, texts);
}
