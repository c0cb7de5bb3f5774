import { createContext, useContext } from 'react';
import type { Theme } from '../theme/theme.js';
import type { Ref } from '../api-client/types.js';

/** The session behind the token (docs/api-contract.md#session). */
export interface Session {
  user: Ref;
  expiration: string;
  administrator: boolean;
}

/** Who is signed in, and how the console looks to them. */
export interface Surroundings {
  session: Session;
  theme: Theme;
  chooseTheme: (theme: Theme) => void;
}

export const SurroundingsContext = createContext<Surroundings | undefined>(undefined);

export function useSurroundings(): Surroundings {
  const surroundings = useContext(SurroundingsContext);
  if (!surroundings) throw new Error('SurroundingsContext is missing');
  return surroundings;
}

/** The account that alone may set server parameters (docs/api-contract.md#callers). */
export const useIsSysadmin = (): boolean => useSurroundings().session.user.reference === 'sysadmin';
