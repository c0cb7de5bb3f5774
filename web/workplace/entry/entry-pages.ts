/** The pages that people open with a one-time code in the fragment. */
export type CodePage = 'invitation' | 'password-reset';

export const FORGOTTEN_PASSWORD = 'forgotten-password';

export const isCodePage = (path: string): path is CodePage =>
  path === 'invitation' || path === 'password-reset';

/** Whether a page is for people who cannot sign in yet. */
export const opensWithoutSignIn = (path: string): boolean =>
  path === FORGOTTEN_PASSWORD || isCodePage(path);
