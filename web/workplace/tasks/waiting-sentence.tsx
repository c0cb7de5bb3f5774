import type { WaitingCounts } from '../../api-client/types.js';
import { useLanguage } from '../translations/i18n.js';

/** How many tasks wait for the person, and how many of them are overdue. */
export function WaitingSentence({ waiting: { count, overdue } }: { waiting: WaitingCounts }) {
  const { t } = useLanguage();
  if (count === 0) return t('home.waiting.0');
  const all = t('home.waiting', { smart_count: count });
  return overdue === 0 ? all : `${all} ${t('home.overdue', { smart_count: overdue })}`;
}
