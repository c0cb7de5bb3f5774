import type { TextKey } from '../translations/en.js';
import { useLanguage } from '../translations/i18n.js';

/** The words for priorities 0 to 5. */
const WORDS = ['normal', 'raised', 'high', 'very-high', 'urgent', 'critical'] as const;
const HIGHEST = WORDS.length - 1;

const wordOf = (priority: number): TextKey =>
  priority < 0 ? 'priority.low' : `priority.${WORDS[Math.min(Math.floor(priority), HIGHEST)]!}`;

/** A priority as a word and as a gauge. The API accepts any number; numbers above 5 appear as 5. */
export function Priority({ priority }: { priority: number }) {
  const { t } = useLanguage();
  return (
    <span className="priority">
      <span aria-hidden className="bars">
        {WORDS.slice(1).map((word, at) => (
          <span key={word} className={at < priority ? 'on' : undefined} />
        ))}
      </span>
      {t(wordOf(priority))}
    </span>
  );
}
