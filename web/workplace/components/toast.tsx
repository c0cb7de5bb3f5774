import { CircleAlert, CircleCheck } from 'lucide-react';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';

/** What can be done about a change. */
export interface ToastAction {
  label: string;
  run: () => void;
  /** The URI of what it changes. */
  subject: string;
}

interface Toast {
  text: string;
  /** It was not done. */
  isRefusal?: boolean;
  action?: ToastAction;
}

/** How long a message stays, in milliseconds, and one that something can be done about. */
const SHOWN_FOR = 8_000;
const ACTION_SHOWN_FOR = 30_000;

interface Toasts {
  show: (toast: Toast) => void;
  endAction: (subject: string) => void;
}

const ToastContext = createContext<Toasts>({ show: () => undefined, endAction: () => undefined });

/** Announces a completed change on the screen and to screen readers. */
export const useToast = (): ((toast: Toast) => void) => useContext(ToastContext).show;

/** Takes the action off a message when it is too late for it; the message itself stays. */
export function useEndOfAction(subject: string | undefined, isTooLate: boolean): void {
  const { endAction } = useContext(ToastContext);
  useEffect(() => {
    if (subject !== undefined && isTooLate) endAction(subject);
  }, [subject, isTooLate, endAction]);
}

/** A removed element fires no event when it loses the focus, which goes on at the heading. */
const leaveButton = (): void =>
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast>();
  // A message stays while the pointer or the focus is in it (WCAG 2.2.1).
  const [isHeld, setHeld] = useState(false);
  const endAction = useCallback(
    (subject: string) => {
      if (toast?.action?.subject !== subject) return;
      if (document.activeElement?.closest('.toasts')) {
        setHeld(false);
        leaveButton();
      }
      setToast({ ...toast, action: undefined });
    },
    [toast],
  );
  const toasts = useMemo(() => ({ show: setToast, endAction }), [endAction]);
  useEffect(() => {
    if (!toast || isHeld) return;
    const time = toast.action ? ACTION_SHOWN_FOR : SHOWN_FOR;
    const timer = setTimeout(() => setToast(undefined), time);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  return (
    <ToastContext value={toasts}>
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
                  setHeld(false);
                  leaveButton();
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
