import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useLanguage } from '../translations/i18n.js';

/** The range of the shown rows, with links to the previous and the next page; nothing for a single page. */
export function Pager({
  start,
  shown,
  size,
  total,
  hasNext,
  go,
}: {
  start: number;
  shown: number;
  /** Rows of a page. */
  size: number;
  /** Undefined for a list without a total. */
  total?: number | undefined;
  hasNext: boolean;
  go: (start: number) => void;
}) {
  const { t } = useLanguage();
  if (start === 0 && !hasNext) return null;
  const rows = { from: start + 1, to: start + shown };
  const text = total === undefined ? t('pager.rows', rows) : t('tasks.page', { ...rows, total });
  return (
    <nav className="pager" aria-label={text}>
      <span>{text}</span>
      <button
        className="icon-button"
        aria-label={t('tasks.previous')}
        disabled={start === 0}
        onClick={() => go(Math.max(0, start - size))}
      >
        <ChevronLeft aria-hidden />
      </button>
      <button
        className="icon-button"
        aria-label={t('tasks.next')}
        disabled={!hasNext}
        onClick={() => go(start + size)}
      >
        <ChevronRight aria-hidden />
      </button>
    </nav>
  );
}
