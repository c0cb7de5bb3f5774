import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useLanguage } from '../translations/i18n.js';
import { PAGE_SIZE } from './task-choice.js';

/** Which rows of a list are shown, and the way to the pages before and after; nothing for a single page. */
export function Pager({
  start,
  shown,
  total,
  go,
}: {
  start: number;
  shown: number;
  total: number;
  go: (start: number) => void;
}) {
  const { t } = useLanguage();
  const end = start + shown;
  if (start === 0 && end >= total) return null;
  const text = t('tasks.page', { from: start + 1, to: end, total });
  return (
    <nav className="pager" aria-label={text}>
      <span>{text}</span>
      <button
        className="icon-button"
        aria-label={t('tasks.previous')}
        disabled={start === 0}
        onClick={() => go(Math.max(0, start - PAGE_SIZE))}
      >
        <ChevronLeft aria-hidden />
      </button>
      <button
        className="icon-button"
        aria-label={t('tasks.next')}
        disabled={end >= total}
        onClick={() => go(start + PAGE_SIZE)}
      >
        <ChevronRight aria-hidden />
      </button>
    </nav>
  );
}
