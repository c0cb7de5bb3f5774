import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { Loaded } from '../../api-client/use-load.js';

/**
 * Keeps the place of keyboard users in a list of tasks: when a completed task leaves the list, the focus moves to the
 * button of the task in its place.
 * @returns the function to call after an action in the row at an index
 */
export function useKeptPlace(
  list: RefObject<HTMLElement | null>,
  { value, isBusy }: Pick<Loaded<unknown>, 'value' | 'isBusy'>,
): (at: number) => void {
  const doneAt = useRef<number>(undefined);
  useEffect(() => {
    if (doneAt.current === undefined || isBusy) return;
    if (document.activeElement === document.body) {
      const buttons = list.current?.querySelectorAll<HTMLElement>('[data-column=action] .button');
      const next = buttons?.[Math.min(doneAt.current, buttons.length - 1)];
      (next ?? document.querySelector<HTMLElement>('main h1'))?.focus();
    }
    doneAt.current = undefined;
  }, [list, value, isBusy]);
  return useCallback((at: number) => void (doneAt.current = at), []);
}
