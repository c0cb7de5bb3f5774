import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

/**
 * A modal dialog of the browser: the focus stays in it, Escape closes it, and the focus goes back to
 * where it was.
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
  useLayoutEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    return () => {
      shown.close();
      // What had the focus may be gone, or disabled while the call that asked is under way.
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
