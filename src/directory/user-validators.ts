import { hasInvisible } from '../http/class-validation.js';

/** The fault of a login, or undefined. */
export function validateLogin(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  if (hasInvisible(text.normalize('NFKC'))) return 'must not hold blanks or invisible characters';
  return undefined;
}

/** One address (RFC 5322 section 3.4.1) without quotes and comments; commas, semicolons and colons would make a list. */
const ADDRESS = /^[^\p{C}\p{Z}@<>"(),;:]+@[^\p{C}\p{Z}@<>"(),;]+$/u;

/** The fault of an e-mail address, or undefined; an empty text is valid. */
export function validateEmail(text: string): string | undefined {
  return text === '' || ADDRESS.test(text) ? undefined : 'must be an e-mail address';
}
