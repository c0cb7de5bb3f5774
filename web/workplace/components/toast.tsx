import { CircleAlert, CircleCheck } from 'lucide-react';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { focusHeading } from './focus-heading.js';

/** The action that a message offers. */
export interface ToastAction {
  label: string;
  run: () => void;
  /** The URI of the object that it changes. */
  subject: string;
}

interface Toast {
  text: string;
  /** It was not done. */
  isRefusal?: boolean;
  action?: ToastAction;
}

interface ShownToast extends Toast {
  id: number;
}

/** Most messages with an action that stay visible together. */
const MOST_SHOWN = 3;

/** How long a message stays, in milliseconds, without and with an action. */
const SHOWN_FOR = 8_000;
const ACTION_SHOWN_FOR = 30_000;

interface Toasts {
  show: (toast: Toast) => void;
  endAction: (subject: string) => void;
}

const ToastContext = createContext<Toasts>({ show: () => undefined, endAction: () => undefined });

/** Announces a completed change on the screen and to screen readers. */
export const useToast = (): ((toast: Toast) => void) => useContext(ToastContext).show;

/** Removes the action of a message when it is too late for it; the message itself stays. */
export function useEndOfAction(subject: string | undefined, isTooLate: boolean): void {
  const { endAction } = useContext(ToastContext);
  useEffect(() => {
    if (subject !== undefined && isTooLate) endAction(subject);
  }, [subject, isTooLate, endAction]);
}

/** A message stays while its action is possible and the next message concerns another object. */
const staysBeside = ({ action }: Toast, next: Toast): boolean =>
  action !== undefined && action.subject !== next.action?.subject;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast[]>([]);
  // Messages stay while the pointer or the focus is in them (WCAG 2.2.1).
  const [isHeld, setHeld] = useState(false);
  const lastId = useRef(0);
  const show = useCallback((toast: Toast) => {
    const next = { ...toast, id: ++lastId.current };
    setShown((all) => [...all.filter((one) => staysBeside(one, next)), next].slice(-MOST_SHOWN));
  }, []);
  const endAction = useCallback(
    (subject: string) => {
      if (!shown.some(({ action }) => action?.subject === subject)) return;
      if (document.activeElement?.closest('.toasts')) {
        // A removed element fires no event when it loses the focus.
        setHeld(false);
        focusHeading();
      }
      setShown((all) =>
        all.map((one) => (one.action?.subject === subject ? { ...one, action: undefined } : one)),
      );
    },
    [shown],
  );
  const toasts = useMemo(() => ({ show, endAction }), [show, endAction]);
  const remove = useCallback((id: number) => {
    setShown((all) => all.filter((one) => one.id !== id));
  }, []);
  return (
    <ToastContext value={toasts}>
      {children}
      <div
        className="toasts"
        role="status"
        aria-atomic={false}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        {shown.map((toast) => (
          <Message
            key={toast.id}
            toast={toast}
            isHeld={isHeld}
            remove={remove}
            act={() => {
              toast.action?.run();
              remove(toast.id);
              setHeld(false);
              focusHeading();
            }}
          />
        ))}
      </div>
    </ToastContext>
  );
}

function Message({
  toast: { id, text, isRefusal, action },
  isHeld,
  remove,
  act,
}: {
  toast: ShownToast;
  isHeld: boolean;
  remove: (id: number) => void;
  act: () => void;
}) {
  const time = action ? ACTION_SHOWN_FOR : SHOWN_FOR;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => remove(id), time);
    return () => clearTimeout(timer);
  }, [id, time, isHeld, remove]);
  return (
    <div className="toast">
      {isRefusal ? <CircleAlert aria-hidden /> : <CircleCheck aria-hidden />}
      <span>{text}</span>
      {action && <button onClick={act}>{action.label}</button>}
    </div>
  );
}
