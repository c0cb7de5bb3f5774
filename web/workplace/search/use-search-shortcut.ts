import { type RefObject, useEffect } from 'react';

/** `/` and Ctrl+K move the focus to the search field, except from another field. */
export function useSearchShortcut(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as Element).tagName);
      const isSlash = event.key === '/' && !isTyping;
      const isControlK = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      if (!isSlash && !isControlK) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [input]);
}
