import { UserRoundPen } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api-client/api.js';
import type { Task, User } from '../../api-client/types.js';
import { toProblem } from '../../api-client/use-load.js';
import { useToast } from '../components/toast.js';
import { PeopleDialog } from '../people/people-picker.js';
import { useLanguage } from '../translations/i18n.js';
import { useMe } from '../workplace-context.js';

/** Assigns an open task to another person, for administrators (docs/api-contract.md#tasks-and-views). */
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
        <PeopleDialog
          title={t('task.reassign')}
          choose={(person) => void choose(person)}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}
