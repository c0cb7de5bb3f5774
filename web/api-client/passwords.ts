/** The account that signs in with a password in any case. */
export const SYSADMIN = 'sysadmin';

/** Whether people sign in with passwords, which the server writes into the page. */
export const takesPasswords =
  document.querySelector<HTMLMetaElement>('meta[name=passwords]')?.content !== 'no';

/** Whether this person signs in with a password. */
export const hasPassword = (login: string): boolean => takesPasswords || login === SYSADMIN;
