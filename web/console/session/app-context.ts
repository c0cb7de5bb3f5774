import { createContext, useContext } from 'react';
import type { Theme } from '../../theme/theme.js';
import type { Locale, Ref } from '../../api-client/types.js';
import type { ConsoleRights } from './rights.js';

/** The session behind the token (docs/api-contract.md#session). */
export interface Session {
  user: Ref;
  expiration: string;
  administrator: boolean;
}

/** Whose menu and locks the console shows instead of the user's own. */
export interface SeenAs {
  label: string;
  rights: ConsoleRights;
}

/** The signed-in user, and the appearance of the console. */
export interface AppContextValue {
  session: Session;
  /** What the user may do, or whom the console is seen as. */
  rights: ConsoleRights;
  /** The account's language at the sign-in. */
  locale: Locale;
  seenAs: SeenAs | undefined;
  /** Shows the console as somebody else, read only; undefined ends that. */
  seeAs: (who: SeenAs | undefined) => void;
  theme: Theme;
  chooseTheme: (theme: Theme) => void;
}

export const AppContext = createContext<AppContextValue | undefined>(undefined);

export function useAppContext(): AppContextValue {
  const value = useContext(AppContext);
  if (!value) throw new Error('AppContext is missing');
  return value;
}

export const useRights = (): ConsoleRights => useAppContext().rights;
