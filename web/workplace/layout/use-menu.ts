import { type RefObject, useEffect, useRef } from 'react';
import { useRouter } from '../router.js';

/** Closes a menu by Esc, by a click beside it or on one of its links, and when another page opens. */
export function useMenu(): RefObject<HTMLDetailsElement | null> {
  const { path } = useRouter();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = () => menu.current?.removeAttribute('open');
    close();
    const onClick = ({ target }: Event) => {
      const isInside = menu.current?.contains(target as Node) === true;
      if (!isInside || (target as Element).closest('a')) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.current?.open) return;
      close();
      menu.current.querySelector('summary')?.focus();
    };
    document.addEventListener('click', onClick);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('keydown', onKey);
    };
  }, [path]);
  return menu;
}
