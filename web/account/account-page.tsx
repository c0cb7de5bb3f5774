import {
  type ComponentType,
  createContext,
  type ReactNode,
  type Ref,
  useCallback,
  useContext,
  useState,
} from 'react';
import type { LucideIcon } from 'lucide-react';
import type { ApiProblem } from '../api-client/api.js';
import type { AccountTexts } from './account-texts.js';

/** A button; `label` names it where its text alone does not say what it acts on. */
export interface ButtonProps {
  icon?: LucideIcon;
  kind?: 'plain' | 'danger';
  isSmall?: boolean;
  autoFocus?: boolean;
  label?: string;
  ref?: Ref<HTMLButtonElement>;
  onClick: () => void;
  children: ReactNode;
}

/** The elements that each page draws in its own style. */
export interface AccountElements {
  /** A part of the page under its own heading. */
  Section: ComponentType<{
    title: string;
    lead?: ReactNode;
    actions?: ReactNode;
    children: ReactNode;
  }>;
  /** A list, and one entry of it with a button at its end. */
  Rows: ComponentType<{ children: ReactNode }>;
  Row: ComponentType<{
    icon: LucideIcon;
    title: ReactNode;
    details: ReactNode;
    action: ReactNode;
  }>;
  Button: ComponentType<ButtonProps>;
  /** A button that shows an icon alone; the label is its accessible name. */
  IconButton: ComponentType<{
    icon: LucideIcon;
    label: string;
    onClick: () => void;
  }>;
  Chip: ComponentType<{ text: string }>;
  Hint: ComponentType<{ children: ReactNode }>;
  /** A modal dialog, which moves the focus into itself and back. */
  Dialog: ComponentType<{
    title: string;
    isOpen: boolean;
    onClose: () => void;
    actions: ReactNode;
    children: ReactNode;
  }>;
  /** An error, announced to screen readers; nothing without a text. */
  Fault: ComponentType<{ text: ReactNode }>;
  /** Stands for a list that is still loading, or that failed to load. */
  Pending: ComponentType<{ problem?: ApiProblem; onRetry: () => void }>;
}

/** What a page brings to the account components: whose account it is, texts and elements. */
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
