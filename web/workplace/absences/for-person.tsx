import type { Ref, Task } from '../../api-client/types.js';
import { useLanguage } from '../translations/i18n.js';
import { useMe } from '../workplace-context.js';

/** For whom somebody has done something in substitution. */
export function ForPerson({ person }: { person: Ref | null }) {
  const { t } = useLanguage();
  return person && <span className="muted">{t('away.for', { name: person.label })}</span>;
}

/** For whom the person has a task in substitution. */
export function ForAssignee({ task: { substitute, assignee } }: { task: Task }) {
  const { me } = useMe();
  if (substitute?.id !== me.id) return null;
  return (
    <small className="for-person">
      <ForPerson person={assignee} />
    </small>
  );
}
