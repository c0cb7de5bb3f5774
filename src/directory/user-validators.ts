/** Blanks, controls, formats (zero width), private use: two logins could look the same. */
const INVISIBLE = /[\p{C}\p{Z}]/u;

/** What is wrong with a login, or undefined. */
export function validateLogin(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  if (INVISIBLE.test(text.normalize('NFKC'))) return 'must not hold blanks or invisible characters';
  return undefined;
}

/** What is wrong with an e-mail address, or undefined; empty is blank. */
export function validateEmail(text: string): string | undefined {
  return text === '' || /^[^\s@<>"]+@[^\s@<>"]+$/u.test(text)
    ? undefined
    : 'must be an e-mail address';
}
