import { hasInvisible } from '../base/validation/class-validation.js';
import { type Reason, reason } from '../base/errors/reason.js';

/** The fault of a login, or undefined. */
export function validateLogin(text: string): Reason | undefined {
  if (text === '') return reason('empty');
  if (hasInvisible(text.normalize('NFKC'))) return reason('invisible-characters');
  return undefined;
}

/** One address (RFC 5322 section 3.4.1) without quotes and comments; commas, semicolons and colons would make a list. */
const ADDRESS = /^[^\p{C}\p{Z}@<>"(),;:]+@[^\p{C}\p{Z}@<>"(),;]+$/u;

/** The fault of an e-mail address, or undefined; an empty text is valid. */
export function validateEmail(text: string): Reason | undefined {
  return text === '' || ADDRESS.test(text) ? undefined : reason('not-an-email');
}
