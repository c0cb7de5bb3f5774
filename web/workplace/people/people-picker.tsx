import { useState } from 'react';
import { get, query } from '../../api-client/api.js';
import type { User } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { Dialog } from '../components/dialog.js';
import { Ready } from '../components/ready.js';
import { FILTER_PAUSE, MAX_FILTER_TEXT } from '../list-filter.js';
import { useLanguage } from '../translations/i18n.js';
import { useDebounced } from '../use-debounced.js';
import { ACTIVE_PEOPLE } from './active-people.js';

/** Number of offered people; a longer text finds the others. */
const SHOWN = 8;

/** A dialog in which an active person is chosen. */
export function PeopleDialog({
  title,
  choose,
  close,
}: {
  title: string;
  choose: (person: User) => void;
  close: () => void;
}) {
  const { t } = useLanguage();
  return (
    <Dialog title={title} onClose={close}>
      <PeoplePicker choose={choose} />
      <div className="buttons end">
        <button type="button" className="button" onClick={close}>
          {t('cancel')}
        </button>
      </div>
    </Dialog>
  );
}

function PeoplePicker({ choose }: { choose: (person: User) => void }) {
  const { t } = useLanguage();
  const [text, setText] = useState('');
  const wanted = useDebounced(text.trim(), FILTER_PAUSE);
  const filters = [
    ...ACTIVE_PEOPLE,
    ...(wanted === '' ? [] : [`title:contains:${wanted.slice(0, MAX_FILTER_TEXT)}`]),
  ];
  const address = `/api/v2/directory/users${query({ range: `0-${SHOWN}`, sorter: 'lastName', filters })}`;
  const loaded = useLoad(address, (signal) => get<User[]>(address, signal));
  return (
    <>
      <label className="field">
        <span>{t('task.reassign.search')}</span>
        <input type="search" value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <Ready loaded={loaded}>
        {(people) => (
          <ul className="choices" aria-busy={loaded.isBusy}>
            {people.map((person) => (
              <li key={person.id}>
                <button type="button" className="button wide" onClick={() => choose(person)}>
                  {person.title}
                  {person.userFunction !== null && (
                    <small className="muted">{person.userFunction}</small>
                  )}
                </button>
              </li>
            ))}
            {people.length === 0 && <li className="hint">{t('people.none')}</li>}
          </ul>
        )}
      </Ready>
    </>
  );
}
