import { CircleAlert, CircleCheck } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';

interface Toast {
  text: string;
  /** It was not done. */
  isRefusal?: boolean;
  action?: { label: string; run: () => void };
}

/** How long a message stays, in milliseconds, and one that something can be done about. */
const SHOWN_FOR = 8_000;
const ACTION_SHOWN_FOR = 30_000;

const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

/** Announces a completed change on the screen and to screen readers. */
export const useToast = (): ((toast: Toast) => void) => useContext(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast>();
  // A message stays while the pointer or the focus is in it (WCAG 2.2.1).
  const [isHeld, setHeld] = useState(false);
  const show = useCallback((next: Toast) => setToast(next), []);
  useEffect(() => {
    if (!toast || isHeld) return;
    const time = toast.action ? ACTION_SHOWN_FOR : SHOWN_FOR;
    const timer = setTimeout(() => setToast(undefined), time);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  return (
    <ToastContext value={show}>
      {children}
      <div
        className="toasts"
        role="status"
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {toast && (
          <div className="toast">
            {toast.isRefusal ? <CircleAlert aria-hidden /> : <CircleCheck aria-hidden />}
            <span>{toast.text}</span>
            {toast.action && (
              <button
                onClick={() => {
                  toast.action?.run();
                  setToast(undefined);
                  // A removed element fires no event when it loses the pointer or the focus.
                  setHeld(false);
                  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
                }}
              >
                {toast.action.label}
              </button>
            )}
          </div>
        )}
      </div>
    </ToastContext>
  );
}
