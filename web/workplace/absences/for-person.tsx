import type { Ref, Task } from '../../api-client/types.js';
import { useLanguage } from '../translations/i18n.js';
import { useMe } from '../workplace-context.js';

/** The person on whose behalf a substitute has acted. */
export function ForPerson({ person }: { person: Ref | null }) {
  const { t } = useLanguage();
  return person && <span className="muted">{t('away.for', { name: person.label })}</span>;
}

/** The person whose task a substitute sees. */
export function ForAssignee({ task: { substitute, assignee } }: { task: Task }) {
  const { me } = useMe();
  if (substitute?.id !== me.id) return null;
  return (
    <small className="for-person">
      <ForPerson person={assignee} />
    </small>
  );
}
