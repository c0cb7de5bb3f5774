import { createContext, type ReactNode, useContext, useId, useLayoutEffect, useRef } from 'react';
import { focusHeading } from './focus-heading.js';

/** Whether the page waits behind the sign-in page, which an open dialog would block. */
export const AsideContext = createContext(false);

/**
 * A modal dialog of the browser: the focus stays in it, Escape closes it, and the focus goes back to where it was.
 * While the page waits, the dialog is closed but keeps its entries.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const isAside = useContext(AsideContext);
  useLayoutEffect(() => {
    if (isAside) return;
    const shown = dialog.current!;
    shown.showModal();
    return () => {
      shown.close();
      // The element with the former focus may be gone, or disabled during the call.
      if (document.activeElement === document.body) focusHeading();
    };
  }, [isAside]);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={heading}
      onClose={() => isAside || onClose()}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
