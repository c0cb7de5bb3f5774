import { CircleCheck, CircleX } from 'lucide-react';
import type { TaskDetailed } from '../../api-client/types.js';
import { ForPerson } from '../absences/for-person.js';
import { Link } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { Confirmation } from './confirmation.js';
import { chosenLabel } from './outcome-labels.js';

/** The end of a task: the outcome, the date, the person and the comment. */
export function Closure({ task }: { task: TaskDetailed }) {
  const language = useLanguage();
  const { t, moment } = language;
  const {
    status,
    outcomes,
    outcome,
    closedBy,
    closedFor,
    comment,
    completionDate,
    modificationDate,
  } = task;
  if (status === 'open') return null;
  const what = outcome === null ? t(`status.${status}`) : chosenLabel(outcomes, outcome, language);
  return (
    <section className={`card closure ${status}`} aria-label={t('task.closure')}>
      {status === 'done' ? <CircleCheck aria-hidden /> : <CircleX aria-hidden />}
      <div>
        <strong>{what}</strong>{' '}
        <small className="muted">
          {closedBy && (
            <>
              <Link to={`users/${closedBy.id}`}>{closedBy.label}</Link>{' '}
              <ForPerson person={closedFor} />
              {' · '}
            </>
          )}
          {moment(completionDate ?? modificationDate)}
        </small>
        {comment !== null && <blockquote className="prose">{comment}</blockquote>}
        <Confirmation task={task} />
      </div>
    </section>
  );
}
