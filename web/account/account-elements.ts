import type { ComponentType, ReactNode, Ref } from 'react';
import type { LucideIcon } from 'lucide-react';
import type { ApiProblem } from '../api-client/api.js';

/** A button; `label` names it where its text alone is ambiguous. */
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
  /** A placeholder for a list that is still loading or failed to load. */
  Pending: ComponentType<{ problem?: ApiProblem; onRetry: () => void }>;
}
