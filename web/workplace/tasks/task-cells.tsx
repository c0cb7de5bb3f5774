import { Check } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api-client/api.js';
import { useLanguage } from '../translations/i18n.js';
import type { Ref, Task } from '../../api-client/types.js';
import { toProblem } from '../../api-client/use-load.js';
import { ForAssignee } from '../absences/for-person.js';
import { Link } from '../router.js';
import { useToast } from '../components/toast.js';
import { Priority } from './priority.js';
import { useReopen } from './use-reopen.js';

/** One value of a task, shown by its kind. */
export function TaskCell({ task, column }: { task: Task; column: string }) {
  const { day, t } = useLanguage();
  if (column === 'title')
    return (
      <>
        <Link to={`tasks/${task.id}`} className="task-title">
          {task.title}
        </Link>
        {task.confirmation === 'refused' && (
          <>
            {' '}
            <span className="chip refused">{t('confirmation.refused')}</span>
          </>
        )}
        <ForAssignee task={task} />
      </>
    );
  if (column === 'dueDate') return <DueDate task={task} />;
  if (column === 'status') return <Status status={task.status} />;
  if (column === 'priority') return <Priority priority={task.priority} />;
  if (column === 'applicationTitle') return <ApplicationTitle task={task} />;
  const value = (task as unknown as Record<string, unknown>)[column];
  // A task of a group has no assignee.
  if (column === 'assignee' && value === null && task.group)
    return <span className="muted">{task.group.label}</span>;
  if (value === null || value === undefined) return '–';
  if (column.endsWith('Date')) return day(value as string);
  if (column === 'assignee')
    return <Link to={`users/${(value as Ref).id}`}>{(value as Ref).label}</Link>;
  return typeof value === 'object' ? (value as Ref).label : (value as string);
}

/** The title of the task's application; a link for a person who sees the application. */
export function ApplicationTitle({ task }: { task: Task }) {
  const { application, applicationTitle } = task;
  if (application === null) return applicationTitle;
  return <Link to={`applications/${application.id}`}>{applicationTitle}</Link>;
}

/** With the time of day, which decides when a task is overdue. */
export function DueDate({ task: { dueDate, status } }: { task: Task }) {
  const { t, moment } = useLanguage();
  const [now] = useState(() => Date.now());
  if (dueDate === null) return '–';
  const isOverdue = status === 'open' && Date.parse(dueDate) < now;
  return (
    <span className={isOverdue ? 'overdue' : undefined}>
      <span className="date">{moment(dueDate)}</span>{' '}
      {isOverdue && <small>{t('tasks.overdue')}</small>}
    </span>
  );
}

export function Status({ status }: { status: Task['status'] }) {
  const { t } = useLanguage();
  return <span className={`chip ${status}`}>{t(`status.${status}`)}</span>;
}

/**
 * A button that marks a task as done, with an action to undo it. It is absent for a task with outcomes, which people
 * decide on its page.
 */
export function TaskAction({
  task,
  changed,
  isOnItsPage = false,
}: {
  task: Task;
  changed: () => void;
  isOnItsPage?: boolean;
}) {
  const { t, problem } = useLanguage();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const undo = useReopen(task, changed);
  const { title } = task;
  if (task.status !== 'open') return null;
  if (task.outcomes !== null && task.outcomes.length > 0)
    return isOnItsPage ? null : (
      <Link
        to={`tasks/${task.id}`}
        className="button small"
        aria-label={t('tasks.decide.of', { title })}
      >
        {t('task.decide')}
      </Link>
    );
  const complete = async () => {
    setBusy(true);
    try {
      await patch(`/api/v2${task.uri}`, [
        { op: 'test', path: '/status', value: 'open' },
        { op: 'replace', path: '/status', value: 'done' },
      ]);
      toast({ text: t('tasks.completed', { title }), action: undo });
    } catch (error) {
      toast({ text: problem(toProblem(error)), isRefusal: true });
    }
    setBusy(false);
    changed();
  };
  return (
    <button
      className="button small"
      disabled={isBusy}
      aria-label={t('tasks.complete.of', { title })}
      onClick={() => void complete()}
    >
      <Check aria-hidden /> {t('tasks.complete')}
    </button>
  );
}
