import { createContext, useContext } from 'react';
import type { Theme } from '../../theme/theme.js';
import type { Locale, Ref } from '../../api-client/types.js';

/** The session behind the token (docs/api-contract.md#session). */
export interface Session {
  user: Ref;
  expiration: string;
  administrator: boolean;
}

/** The signed-in user, and the appearance of the console. */
export interface AppContextValue {
  session: Session;
  /** The account's language at the sign-in. */
  locale: Locale;
  theme: Theme;
  chooseTheme: (theme: Theme) => void;
}

export const AppContext = createContext<AppContextValue | undefined>(undefined);

export function useAppContext(): AppContextValue {
  const value = useContext(AppContext);
  if (!value) throw new Error('AppContext is missing');
  return value;
}

/** The only account that may set server parameters (docs/api-contract.md#callers). */
export const useIsSysadmin = (): boolean => useAppContext().session.user.reference === 'sysadmin';
