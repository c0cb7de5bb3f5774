import { CircleAlert, Search, SearchX } from 'lucide-react';
import type { ApiProblem } from '../../api-client/api.js';
import { Empty } from '../components/empty.js';
import { Link } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { DidYouMean } from './did-you-mean.js';
import { Hit } from './hit.js';
import type { FoundSection } from './search-sections.js';
import { resultsOf } from './search-text.js';

interface Props {
  /** The id of the list, the prefix of its options' ids. */
  list: string;
  sections: FoundSection[];
  active: number;
  /** The searched text. */
  found: string;
  onFollow: () => void;
}

/** The first results of each section, then a link to all of them. */
export function SearchResults({ list, sections, active, found, onFollow }: Props) {
  const { t } = useLanguage();
  const before = (section: FoundSection) =>
    sections
      .slice(0, sections.indexOf(section))
      .reduce((sum, { records }) => sum + records.length, 0);
  const last = sections.reduce((sum, { records }) => sum + records.length, 0);
  const option = (at: number) => ({
    id: `${list}-${at}`,
    role: 'option',
    'aria-selected': at === active,
    tabIndex: -1,
  });
  return (
    <>
      {sections.map((section) => (
        <div
          key={section.searchName}
          role="group"
          aria-labelledby={`${list}-${section.searchName}`}
        >
          <div id={`${list}-${section.searchName}`} role="presentation" className="search-section">
            {t(section.title)}
          </div>
          {section.records.map((record, at) => (
            <Hit
              key={record.ID}
              {...option(before(section) + at)}
              record={record}
              details={section.details}
              query={found}
              onFollow={onFollow}
            />
          ))}
        </div>
      ))}
      {last > 0 && (
        <Link {...option(last)} to={resultsOf(found)} className="hit more" onClick={onFollow}>
          <Search aria-hidden /> {t('search.all', { text: found })}
        </Link>
      )}
    </>
  );
}

/** The message for a failed search, or for one without results. */
export function SearchNotices({
  text,
  problem,
  isEmpty,
  onRetry,
  onFollow,
}: {
  text: string;
  problem: ApiProblem | undefined;
  isEmpty: boolean;
  onRetry: () => void;
  onFollow: () => void;
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
  return (
    <Empty icon={SearchX} title={t('search.none', { text })} hint={t('search.none.hint')}>
      <DidYouMean text={text} onFollow={onFollow} />
    </Empty>
  );
}
