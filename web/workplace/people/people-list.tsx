import { SearchX, X } from 'lucide-react';
import type { User } from '../../api-client/types.js';
import { Empty } from '../components/empty.js';
import { PagedList } from '../components/paged-list.js';
import { FILTER_PAUSE } from '../list-filter.js';
import { useLanguage } from '../translations/i18n.js';
import { useDebounced } from '../use-debounced.js';
import { ALL_PEOPLE, isNarrowed, listOf, PEOPLE_PAGE, type PeopleChoice } from './people-choice.js';
import { PersonCard } from './person-card.js';

/** One page of the people who match a choice. */
export function PeopleList({
  choice,
  change,
}: {
  choice: PeopleChoice;
  change: (next: Partial<PeopleChoice>) => void;
}) {
  const { t } = useLanguage();
  const text = useDebounced(choice.text.trim(), FILTER_PAUSE);
  return (
    <PagedList<User>
      address={listOf({ ...choice, text })}
      start={choice.start}
      size={PEOPLE_PAGE}
      count="people.count"
      go={(start) => change({ start })}
    >
      {(people) => (
        <>
          {people.length === 0 && (
            <Empty icon={SearchX} title={t('people.none')}>
              {isNarrowed(choice) && (
                <button className="button" onClick={() => change(ALL_PEOPLE)}>
                  <X aria-hidden /> {t('people.clear')}
                </button>
              )}
            </Empty>
          )}
          <ul className="directory">
            {people.map((person) => (
              <PersonCard key={person.id} person={person} text={text} />
            ))}
          </ul>
        </>
      )}
    </PagedList>
  );
}
