import { CircleAlert, CircleCheck } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react';
import { type ApiProblem, post } from '../../api-client/api.js';
import type { BulkResult, Outcome, Task } from '../../api-client/types.js';
import { toProblem } from '../../api-client/use-load.js';
import { asSentence, translate } from '../../server-messages/translate.js';
import { Dialog } from '../components/dialog.js';
import { FormProblem } from '../components/form-problem.js';
import { useToast } from '../components/toast.js';
import { useLanguage } from '../translations/i18n.js';
import { useMe } from '../workplace-context.js';
import { commonActions } from './common-actions.js';
import { outcomeLabel } from './outcome-labels.js';

/** The result for one of the chosen tasks. */
export interface TaskResult extends BulkResult {
  title: string;
}

/** Most tasks of one call (docs/api-contract.md#several-tasks-at-once). */
const PART = 100;

interface Action {
  action: 'claim' | 'release' | 'complete';
  outcome?: string;
  comment?: string;
}

/** The actions that all chosen tasks allow. */
export function BulkBar({
  chosen,
  clear,
  finished,
}: {
  chosen: Task[];
  clear: () => void;
  finished: (results: TaskResult[]) => void;
}) {
  const language = useLanguage();
  const { t, problem } = language;
  const { me } = useMe();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<Outcome>();
  /** The failure of the last call, and the results of the earlier tasks. */
  const [failure, setFailure] = useState<ApiProblem>();
  const [done, setDone] = useState<BulkResult[]>([]);
  const { complete, outcomes, claim, release } = commonActions(chosen, me.uri, (outcome) =>
    outcomeLabel(outcome, language),
  );
  const finish = (results: BulkResult[]) => {
    setAsked(undefined);
    setFailure(undefined);
    setDone([]);
    if (results.length > 0)
      finished(results.map((result, at) => ({ ...result, title: chosen[at]!.title })));
  };
  /** If a call fails, an open question stays with its comment, and the next attempt continues with the rest. */
  const run = async (action: Action) => {
    setBusy(true);
    setFailure(undefined);
    const results = [...done];
    try {
      while (results.length < chosen.length) {
        const tasks = chosen.slice(results.length, results.length + PART).map(({ id }) => id);
        results.push(
          ...(await post<BulkResult[]>('/api/v2/process/tasks/bulk', { ...action, tasks })),
        );
      }
      finish(results);
    } catch (error) {
      setDone(results);
      setFailure(toProblem(error));
    }
    setBusy(false);
  };
  const fail = useEffectEvent((found: ApiProblem) => {
    toast({ text: problem(found), isRefusal: true });
    finish(done);
  });
  useEffect(() => {
    if (failure && !asked) fail(failure);
  }, [failure, asked]);
  const choose = (outcome: Outcome) => {
    if (outcome.commentRequired || outcome.confirm) setAsked(outcome);
    else void run({ action: 'complete', outcome: outcome.name });
  };
  const offer = (label: string, act: () => void): ReactNode => (
    <button key={label} className="button small" disabled={isBusy} onClick={act}>
      {label}
    </button>
  );
  const isNothing = !complete && outcomes.length === 0 && !claim && !release;
  return (
    <section className="card bulk" aria-label={t('bulk.title')}>
      <p role="status">{t('bulk.chosen', { smart_count: chosen.length })}</p>
      <div className="buttons">
        {complete && offer(t('tasks.complete'), () => void run({ action: 'complete' }))}
        {outcomes.map((outcome) => offer(outcomeLabel(outcome, language), () => choose(outcome)))}
        {claim && offer(t('task.claim'), () => void run({ action: 'claim' }))}
        {release && offer(t('task.release'), () => void run({ action: 'release' }))}
        {isNothing && <p className="hint">{t('bulk.nothing')}</p>}
        {offer(t('bulk.clear'), clear)}
      </div>
      {asked && (
        <Question
          outcome={asked}
          count={chosen.length - done.length}
          isBusy={isBusy}
          problem={failure && problem(failure)}
          decide={(comment) => void run({ action: 'complete', outcome: asked.name, comment })}
          close={() => (isBusy ? setAsked(undefined) : finish(done))}
        />
      )}
    </section>
  );
}

/** Asks for the comment that an outcome needs, and for a confirmation. */
function Question({
  outcome,
  count,
  isBusy,
  problem,
  decide,
  close,
}: {
  outcome: Outcome;
  count: number;
  isBusy: boolean;
  /** Why the last attempt failed. */
  problem: string | undefined;
  decide: (comment: string | undefined) => void;
  close: () => void;
}) {
  const language = useLanguage();
  const { t } = language;
  const [comment, setComment] = useState('');
  const label = outcomeLabel(outcome, language);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    decide(comment.trim() || undefined);
  };
  return (
    <Dialog title={t('task.confirm', { outcome: label })} onClose={close}>
      <form onSubmit={submit}>
        <FormProblem text={problem} />
        <p>{t('bulk.chosen', { smart_count: count })}</p>
        <label className="field">
          <span>{t('task.comment')}</span>
          <textarea
            value={comment}
            onChange={({ target }) => setComment(target.value)}
            maxLength={2000}
            rows={3}
            required={outcome.commentRequired}
          />
        </label>
        <div className="buttons end">
          <button type="button" className="button" onClick={close}>
            {t('cancel')}
          </button>
          <button
            className="button primary"
            disabled={isBusy || (outcome.commentRequired && comment.trim() === '')}
          >
            {label}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/**
 * The results of the chosen tasks.
 * @param rest the number of tasks that were not reached and stay chosen
 */
export function BulkResults({
  results,
  rest,
  close,
}: {
  results: TaskResult[];
  rest: number;
  close: () => void;
}) {
  const { t, locale } = useLanguage();
  const refused = results.filter(({ result }) => result === 'refused');
  const reasonOf = ({ message, reason, parameters, fields }: TaskResult): string =>
    (fields.length > 0 ? fields : [{ message: message ?? '', code: reason ?? '', parameters }])
      .map((one) => translate(one, locale) ?? one.message)
      .map(asSentence)
      .join(' ');
  return (
    <section className="card bulk" aria-label={t('bulk.results')}>
      <p role="status">
        {t('bulk.done', { done: results.length - refused.length, all: results.length + rest })}
        {rest > 0 && ` ${t('bulk.rest', { smart_count: rest })}`}
      </p>
      <ul className="history">
        {results.map((result) => (
          <li key={result.name} className={result.result}>
            {result.result === 'done' ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}{' '}
            <strong>{result.title}</strong>{' '}
            {result.result === 'done' ? t('bulk.result.done') : reasonOf(result)}
          </li>
        ))}
      </ul>
      <button className="button small" onClick={close}>
        {t('bulk.close')}
      </button>
    </section>
  );
}
