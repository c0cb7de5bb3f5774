import { CircleAlert, SearchX } from 'lucide-react';
import type { ApiProblem } from '../../api-client/api.js';
import { Empty } from '../components/empty.js';
import { useLanguage } from '../translations/i18n.js';
import { Hit, More, type Option } from './search-option.js';
import { SECTIONS } from './search-sections.js';

interface Props {
  /** The id of the list, with which those of its options begin. */
  list: string;
  options: Option[];
  active: number;
  /** The searched text. */
  found: string;
  onChoose: (option: Option) => void;
}

/** The results, in one section for each search. */
export function SearchResults({ list, options, active, found, onChoose }: Props) {
  const { t } = useLanguage();
  return SECTIONS.map(({ id, title, details }) => {
    const own = options.filter(({ section }) => section === id);
    if (own.length === 0) return null;
    return (
      <div key={id} role="group" aria-labelledby={`${list}-${id}`}>
        <div id={`${list}-${id}`} role="presentation" className="search-section">
          {t(title)}
        </div>
        {own.map((option) => {
          const at = options.indexOf(option);
          const common = {
            id: `${list}-${at}`,
            isActive: at === active,
            onChoose: () => onChoose(option),
          };
          return option.record ? (
            <Hit
              key={option.record.ID}
              {...common}
              record={option.record}
              details={details}
              query={found}
            />
          ) : (
            <More key="more" {...common} label={t('search.more.of', { section: t(title) })} />
          );
        })}
      </div>
    );
  });
}

/** Why one of the searches failed, and that nothing was found. */
export function SearchNotices({
  text,
  problem,
  isEmpty,
  onRetry,
}: {
  text: string;
  problem: ApiProblem | undefined;
  isEmpty: boolean;
  onRetry: () => void;
}) {
  const { t, problem: explain } = useLanguage();
  if (problem)
    return (
      <div role="alert" className="form-problem">
        <CircleAlert aria-hidden /> {explain(problem)}
        <button className="button small" onClick={onRetry}>
          {t('retry')}
        </button>
      </div>
    );
  if (!isEmpty) return null;
  return <Empty icon={SearchX} title={t('search.none', { text })} hint={t('search.none.hint')} />;
}
