import { type SyntheticEvent, useEffect, useState } from 'react';
import { type ApiProblem, get, post } from '../../api-client/api.js';
import type { Task, TaskComment } from '../../api-client/types.js';
import { toProblem, useLoad } from '../../api-client/use-load.js';
import { FormProblem } from '../components/form-problem.js';
import { ForPerson } from '../absences/for-person.js';
import { Link } from '../router.js';
import { useLanguage } from '../translations/i18n.js';

/** How often a visible page polls for new comments, in milliseconds. */
const INTERVAL = 30_000;

/** Most characters that the server accepts. */
const MAX_COMMENT = 2_000;

/** The comments on a task, oldest first, and a field for a new one. */
export function Comments({ task: { uri } }: { task: Task }) {
  const { t, moment } = useLanguage();
  const path = `/api/v2${uri}/comments`;
  const { value, reload } = useLoad(path, (signal) =>
    get<TaskComment[]>(`${path}?range=0-200`, signal),
  );
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, INTERVAL);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <section className="card" aria-label={t('task.comments')}>
      <h2>{t('task.comments')}</h2>
      {value && value.length > 0 && (
        <ol className="history">
          {value.map(({ id, author, onBehalfOf, text, creationDate }) => (
            <li key={id}>
              {author && <Link to={`users/${author.id}`}>{author.label}</Link>}{' '}
              <small>
                <ForPerson person={onBehalfOf} />
              </small>{' '}
              <small className="muted">{moment(creationDate)}</small>
              <p className="prose">{text}</p>
            </li>
          ))}
        </ol>
      )}
      <NewComment path={path} added={reload} />
    </section>
  );
}

function NewComment({ path, added }: { path: string; added: () => void }) {
  const { t, problem: explain } = useLanguage();
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const said = text.trim();
  const send = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (said === '') return;
    setBusy(true);
    setProblem(undefined);
    try {
      await post(path, { text: said });
      setText('');
      added();
    } catch (error) {
      setProblem(toProblem(error));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void send(event)}>
      <FormProblem text={problem && explain(problem)} />
      <label className="field">
        <span>{t('task.comments.new')}</span>
        <textarea
          value={text}
          onChange={({ target }) => setText(target.value)}
          maxLength={MAX_COMMENT}
          rows={2}
        />
      </label>
      <button className="button" disabled={isBusy || said === ''}>
        {t('task.comments.send')}
      </button>
    </form>
  );
}
