import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import type { ApiProblem } from '../api-client/api.js';
import type { AccountElements } from './account-elements.js';
import type { AccountTexts } from './account-texts.js';

/** The parts that a page gives to the account components: the account, texts and elements. */
export interface AccountPage {
  userId: string;
  /** Whether the account belongs to the person who is signed in. */
  isOwn: boolean;
  texts: AccountTexts;
  showDate: (timestamp: string) => string;
  explain: (problem: ApiProblem) => ReactNode;
  notify: (text: string) => void;
  /** Runs after each change of the account. */
  onChange: () => void;
  elements: AccountElements;
}

interface AccountPageValue extends AccountPage {
  /** How many changes were made; the lists load again after each. */
  changes: number;
}

const AccountPageContext = createContext<AccountPageValue | undefined>(undefined);

export function AccountPageProvider({
  page,
  children,
}: {
  page: AccountPage;
  children: ReactNode;
}) {
  const [changes, setChanges] = useState(0);
  const { onChange } = page;
  const count = useCallback(() => {
    setChanges((last) => last + 1);
    onChange();
  }, [onChange]);
  return (
    <AccountPageContext value={{ ...page, changes, onChange: count }}>
      {children}
    </AccountPageContext>
  );
}

export function useAccountPage(): AccountPageValue {
  const page = useContext(AccountPageContext);
  if (!page) throw new Error('AccountPageProvider is missing');
  return page;
}
