import { UserRoundPen } from 'lucide-react';
import { useState } from 'react';
import { get, patch, query } from '../../api-client/api.js';
import type { Task, User } from '../../api-client/types.js';
import { toProblem, useLoad } from '../../api-client/use-load.js';
import { Dialog } from '../components/dialog.js';
import { Ready } from '../components/ready.js';
import { useToast } from '../components/toast.js';
import { FILTER_PAUSE, MAX_FILTER_TEXT } from '../list-filter.js';
import { ACTIVE_PEOPLE } from '../people/active-people.js';
import { useLanguage } from '../translations/i18n.js';
import { useDebounced } from '../use-debounced.js';
import { useMe } from '../workplace-context.js';

/** People to choose from; a longer text finds the others. */
const SHOWN = 8;

/** Gives an open task to somebody else; administrators may (docs/api-contract.md#tasks-and-views). */
export function Reassign({ task, changed }: { task: Task; changed: () => unknown }) {
  const { t, problem } = useLanguage();
  const { me } = useMe();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  if (!me.administrator || task.status !== 'open') return null;
  const choose = async ({ uri, label }: User) => {
    setOpen(false);
    try {
      await patch(`/api/v2${task.uri}`, [
        { op: 'test', path: '/status', value: 'open' },
        { op: 'replace', path: '/assignee', value: uri },
      ]);
      toast({ text: t('task.reassigned', { title: task.title, name: label }) });
    } catch (error) {
      toast({ text: problem(toProblem(error)), isRefusal: true });
    }
    await changed();
  };
  return (
    <>
      <button className="button" onClick={() => setOpen(true)}>
        <UserRoundPen aria-hidden /> {t('task.reassign')}
      </button>
      {isOpen && (
        <Dialog title={t('task.reassign')} onClose={() => setOpen(false)}>
          <PeoplePicker choose={(person) => void choose(person)} />
          <div className="buttons end">
            <button className="button" onClick={() => setOpen(false)}>
              {t('cancel')}
            </button>
          </div>
        </Dialog>
      )}
    </>
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
                <button className="button wide" onClick={() => choose(person)}>
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
