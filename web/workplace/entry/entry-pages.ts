/** The pages that people open with a one-time code in the fragment. */
export type CodePage = 'invitation' | 'password-reset';

export const FORGOTTEN_PASSWORD = 'forgotten-password';

export const isCodePage = (path: string): path is CodePage =>
  path === 'invitation' || path === 'password-reset';

/** A link of a mail about tasks: the person may be signed in or not. */
export const stopsMails = (path: string): boolean => path.startsWith('stop-mails/');

/** Whether a page needs no sign-in. */
export const opensWithoutSignIn = (path: string): boolean =>
  path === FORGOTTEN_PASSWORD || isCodePage(path) || stopsMails(path);
