import { type ReactNode, useId, useRef, useState } from 'react';
import { type ApiProblem, patch } from '../../api-client/api.js';
import type { Outcome, TaskDetailed } from '../../api-client/types.js';
import { toProblem } from '../../api-client/use-load.js';
import { Dialog } from '../components/dialog.js';
import { FormProblem, ServerMessage } from '../components/form-problem.js';
import { useToast } from '../components/toast.js';
import { useLanguage } from '../translations/i18n.js';
import { outcomeLabel } from './outcome-labels.js';
import { useReopen } from './use-reopen.js';
import { contentOf } from './use-task.js';

/** Most characters that the server accepts. */
const MAX_COMMENT = 2_000;

/** After a concurrent change of the task, the page shows its new state and the reason. */
const isOvertaken = ({ status }: ApiProblem): boolean =>
  status === 404 || status === 409 || status === 412;

/**
 * Decides on a task.
 * @param etag of the shown task, so that a person decides only on the state that they have read
 */
function useDecision(task: TaskDetailed, etag: string, changed: () => Promise<void>) {
  const language = useLanguage();
  const { t } = language;
  const toast = useToast();
  const undo = useReopen(task, changed);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const decide = async (outcome: Outcome, comment: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await patch(
        `/api/v2${task.uri}`,
        [
          { op: 'replace', path: '/status', value: 'done' },
          { op: 'replace', path: '/outcome', value: outcome.name },
          { op: 'replace', path: '/comment', value: comment || null },
        ],
        { 'If-Match': etag },
      );
      toast({
        text: t('task.decided', { title: task.title, outcome: outcomeLabel(outcome, language) }),
        action: undo,
      });
    } catch (error) {
      const found = toProblem(error);
      if (!isOvertaken(found)) setProblem(found);
    }
    await changed();
    setBusy(false);
  };
  return { decide, isBusy, problem };
}

/** The ways to close a task as buttons, with a comment. */
export function Decision({
  task,
  outcomes,
  etag,
  changed,
}: {
  task: TaskDetailed;
  outcomes: Outcome[];
  etag: string;
  changed: () => Promise<void>;
}) {
  const language = useLanguage();
  const { t, problem: explain } = language;
  const { decide, isBusy, problem } = useDecision(task, etag, changed);
  const [comment, setComment] = useState('');
  /**
   * The outcome that lacks a comment, and the outcome that the person has to confirm, with the ETag of the shown task.
   */
  const [lacking, setLacking] = useState<Outcome>();
  const [asked, setAsked] = useState<{ outcome: Outcome; read: string }>();
  const field = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  const said = comment.trim();
  const choose = (outcome: Outcome) => {
    const isSilent = outcome.commentRequired && said === '';
    setLacking(isSilent ? outcome : undefined);
    if (isSilent) field.current?.focus();
    else if (outcome.confirm) setAsked({ outcome, read: contentOf(task) });
    else void decide(outcome, said);
  };
  // The notice of the page reports the change of the task.
  if (asked && asked.read !== contentOf(task)) setAsked(undefined);
  const required = outcomes.filter(({ commentRequired }) => commentRequired);
  return (
    <section className="card" aria-label={t('task.decide')}>
      <h2>{t('task.decide')}</h2>
      <FormProblem text={problem && <Reason problem={problem} explain={explain} />} />
      <label className="field">
        <span>{t('task.comment')}</span>
        <textarea
          ref={field}
          value={comment}
          onChange={({ target }) => setComment(target.value)}
          maxLength={MAX_COMMENT}
          rows={3}
          aria-invalid={lacking !== undefined}
          aria-describedby={hint}
        />
      </label>
      <p id={hint} className={lacking ? 'fault' : 'hint'} role={lacking && 'alert'}>
        {required.length > 0 &&
          t('task.comment.required', {
            outcomes: required.map((outcome) => outcomeLabel(outcome, language)).join(', '),
          })}
      </p>
      <div className="buttons">
        {outcomes.map((outcome, at) => (
          <button
            key={outcome.name}
            className={at === 0 ? 'button primary' : 'button'}
            disabled={isBusy}
            onClick={() => choose(outcome)}
          >
            {outcomeLabel(outcome, language)}
          </button>
        ))}
      </div>
      {asked && (
        <Question
          task={task}
          outcome={asked.outcome}
          comment={said}
          decide={() => {
            setAsked(undefined);
            void decide(asked.outcome, said);
          }}
          close={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}

/** Asks the person to confirm an outcome. */
function Question({
  task,
  outcome,
  comment,
  decide,
  close,
}: {
  task: TaskDetailed;
  outcome: Outcome;
  comment: string;
  decide: () => void;
  close: () => void;
}) {
  const language = useLanguage();
  const { t } = language;
  const label = outcomeLabel(outcome, language);
  return (
    <Dialog title={t('task.confirm', { outcome: label })} onClose={close}>
      <p>{task.title}</p>
      {comment !== '' && <blockquote className="prose">{comment}</blockquote>}
      <div className="buttons end">
        <button className="button" onClick={close}>
          {t('cancel')}
        </button>
        <button className="button primary" onClick={decide}>
          {label}
        </button>
      </div>
    </Dialog>
  );
}

/** The server's faults of the fields, or else the meaning of the status. */
function Reason({
  problem,
  explain,
}: {
  problem: ApiProblem;
  explain: (problem: ApiProblem) => string;
}): ReactNode {
  if (problem.fields.length === 0) return explain(problem);
  return problem.fields.map((fault) => <ServerMessage key={fault.name} fault={fault} />);
}
