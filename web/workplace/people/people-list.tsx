import { SearchX, X } from 'lucide-react';
import { getPage } from '../../api-client/api.js';
import type { User } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { Empty } from '../components/empty.js';
import { Pager } from '../components/pager.js';
import { Ready } from '../components/ready.js';
import { useLanguage } from '../translations/i18n.js';
import { useDebounced } from '../use-debounced.js';
import { ALL_PEOPLE, isNarrowed, listOf, PEOPLE_PAGE, type PeopleChoice } from './people-choice.js';
import { PersonCard } from './person-card.js';

/** Rest after a keystroke before the server is asked, in milliseconds. */
const PAUSE = 200;

/** One page of the people who match a choice. The list is not counted: that takes long among a million people. */
export function PeopleList({
  choice,
  change,
}: {
  choice: PeopleChoice;
  change: (next: Partial<PeopleChoice>) => void;
}) {
  const { t } = useLanguage();
  const text = useDebounced(choice.text.trim(), PAUSE);
  const address = listOf({ ...choice, text });
  const loaded = useLoad(address, (signal) => getPage<User>(address, signal));
  return (
    <Ready loaded={loaded}>
      {({ items, hasNext }) => (
        <div aria-busy={loaded.isBusy}>
          <p className="unseen" role="status">
            {t('people.count', { smart_count: items.length })}
          </p>
          {items.length === 0 && (
            <Empty icon={SearchX} title={t('people.none')}>
              {isNarrowed(choice) && (
                <button className="button" onClick={() => change(ALL_PEOPLE)}>
                  <X aria-hidden /> {t('people.clear')}
                </button>
              )}
            </Empty>
          )}
          <ul className="directory">
            {items.map((person) => (
              <PersonCard key={person.id} person={person} text={text} />
            ))}
          </ul>
          <Pager
            start={choice.start}
            shown={items.length}
            size={PEOPLE_PAGE}
            hasNext={hasNext}
            go={(start) => {
              change({ start });
              scrollTo(0, 0);
            }}
          />
        </div>
      )}
    </Ready>
  );
}
