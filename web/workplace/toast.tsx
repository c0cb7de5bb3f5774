import { CircleCheck } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';

interface Toast {
  text: string;
  action?: { label: string; run: () => void };
}

/** How long a message stays, in milliseconds: long enough to undo. */
const SHOWN_FOR = 8_000;

const ToastContext = createContext<(toast: Toast) => void>(() => undefined);

/** Says what was done, to eyes and to screen readers. */
export const useToast = (): ((toast: Toast) => void) => useContext(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast>();
  const show = useCallback((next: Toast) => setToast(next), []);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(() => setToast(undefined), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status">
        {toast && (
          <div className="toast">
            <CircleCheck aria-hidden />
            <span>{toast.text}</span>
            {toast.action && (
              <button
                onClick={() => {
                  toast.action?.run();
                  setToast(undefined);
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
