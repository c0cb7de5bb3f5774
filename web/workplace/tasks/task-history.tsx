import { get } from '../../api-client/api.js';
import type { HistoryEvent, Task } from '../../api-client/types.js';
import { translate } from '../../server-messages/translate.js';
import { useLoad } from '../../api-client/use-load.js';
import { ForPerson } from '../absences/for-person.js';
import { Link } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { chosenLabel } from './outcome-labels.js';

/** The history of a task, newest first. */
/** The server's remarks on a confirmation, with their codes for translation. */
const NOTES: Record<string, string> = {
  'The engine had already completed the task': 'engine-completed-task',
  'The engine had completed the task before the decision was taken back': 'engine-completed-before',
};

export function TaskHistory({ task }: { task: Task }) {
  const { t } = useLanguage();
  const { uri, modificationDate } = task;
  const { value } = useLoad(`${uri} ${modificationDate}`, (signal) =>
    get<HistoryEvent[]>(`/api/v2${uri}/history?range=0-200`, signal),
  );
  if (!value) return null;
  return (
    <section className="card" aria-label={t('task.history')}>
      <h2>{t('task.history')}</h2>
      <ol className="history">
        {[...value].reverse().map((event, at) => (
          <li key={at}>
            <Event event={event} task={task} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Event({
  event: { kind, creationDate, by, onBehalfOf, to, file, outcome, comment },
  task: { outcomes },
}: {
  event: HistoryEvent;
  task: Task;
}) {
  const language = useLanguage();
  const { t, moment, locale } = language;
  const named = (kind === 'reassigned' ? to?.label : file) ?? null;
  // The remark on a confirmation comes from the server; the reason of a refusal comes from the engine.
  const said =
    comment !== null && kind === 'confirmed'
      ? (translate({ message: comment, code: NOTES[comment] }, locale) ?? comment)
      : comment;
  return (
    <>
      <strong>
        {t(`history.${kind}`)}
        {outcome !== null && `: ${chosenLabel(outcomes, outcome, language)}`}
        {named !== null && `: ${named}`}
      </strong>{' '}
      <small className="muted">
        {by && (
          <>
            <Link to={`users/${by.id}`}>{by.label}</Link> <ForPerson person={onBehalfOf} />
            {' · '}
          </>
        )}
        {moment(creationDate)}
      </small>
      {said !== null && <blockquote className="prose">{said}</blockquote>}
    </>
  );
}
