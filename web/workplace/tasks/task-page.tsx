import { ExternalLink } from 'lucide-react';
import type { Task, TaskDetailed } from '../../api-client/types.js';
import { Details, fromRoot, outside } from '../components/details.js';
import { Page } from '../components/page.js';
import { Ready } from '../components/ready.js';
import { useEndOfAction } from '../components/toast.js';
import { ForAssignee } from '../absences/for-person.js';
import { Link, useRouter } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { useMe, useWorkplace } from '../workplace-context.js';
import { Claim } from './claim.js';
import { Closure } from './closure.js';
import { Comments } from './comments.js';
import { Refusal } from './confirmation.js';
import { Decision } from './decision.js';
import { Files } from './files.js';
import { Priority } from './priority.js';
import { ApplicationTitle, DueDate, Status, TaskAction } from './task-cells.js';
import { Reassign } from './reassign.js';
import { TaskHistory } from './task-history.js';
import { TaskNotice } from './task-notice.js';
import { useTask } from './use-task.js';
import { Variables } from './variables.js';

/** The pages with tasks: the list of an application, and the inbox. */
const TASK_LIST = /^(applications\/[^?]+|tasks)(\?.*)?$/;

/**
 * The list from which the person opened the task, or else that of its application; the inbox for a hidden application.
 */
function listOf(task: Task | undefined, from = ''): string {
  if (TASK_LIST.test(from)) return from;
  return task?.application ? `applications/${task.application.id}` : 'tasks';
}

/** Whether the link of a task leads to this page, as for a task without a form. */
const leadsHere = ({ id, reference, link }: Task): boolean =>
  [id, reference].some((name) => link === `/workplace/tasks/${name}`);

/** One task, by its id or its reference, with its details and the ways to decide it. */
export function TaskPage({ id }: { id: string }) {
  const { t } = useLanguage();
  const { refresh } = useWorkplace();
  const { from, go } = useRouter();
  const { loaded, shown, ask } = useTask(id);
  const changed = async () => {
    await ask();
    refresh();
  };
  const task = shown?.task;
  // A confirmed decision cannot be withdrawn.
  useEndOfAction(task?.uri, task?.confirmation === 'confirmed');
  const list = listOf(task, from);
  const leave = () => {
    refresh();
    go(list, { replaces: true });
  };
  const isHere = task !== undefined && shown?.notice !== 'gone';
  return (
    <Page
      name={task?.title ?? t('task.kind')}
      list={list}
      kind={task && t('task.kind')}
      lead={task && <State task={task} />}
      aside={
        isHere && (
          <div className="buttons">
            {task.link !== null && !leadsHere(task) && (
              <a className="button" {...outside(fromRoot(task.link))}>
                <ExternalLink aria-hidden /> {t('task.link')}
              </a>
            )}
            <Claim task={task} changed={changed} leave={leave} />
            <Reassign task={task} changed={changed} />
            <TaskAction task={task} changed={() => void changed()} isOnItsPage />
          </div>
        )
      }
    >
      <Ready loaded={loaded}>
        {() => (
          <div className="article">
            <div className="stack">
              <TaskNotice task={task!} notice={shown!.notice} />
              <Refusal task={task!} />
              <ForAssignee task={task!} />
              <Closure task={task!} />
              {task!.description !== null && (
                <div className="card">
                  <p className="prose">{task!.description}</p>
                </div>
              )}
              <Variables variables={task!.variables} />
              {isHere && task.status === 'open' && hasOutcomes(task) && (
                <Decision
                  task={task}
                  outcomes={task.outcomes}
                  etag={shown!.etag}
                  changed={changed}
                />
              )}
              {isHere && <Files task={task} changed={changed} />}
              {isHere && <Comments task={task} />}
              {isHere && <TaskHistory task={task} />}
            </div>
            <Facts task={task!} />
          </div>
        )}
      </Ready>
    </Page>
  );
}

const hasOutcomes = (task: Task): task is Task & { outcomes: NonNullable<Task['outcomes']> } =>
  task.outcomes !== null && task.outcomes.length > 0;

/** The most important details, under the title on every screen. */
function State({ task }: { task: TaskDetailed }) {
  const { t } = useLanguage();
  return (
    <p className="task-state">
      <Status status={task.status} />
      {task.dueDate !== null && (
        <span>
          {t('column.dueDate')} <DueDate task={task} />
        </span>
      )}
    </p>
  );
}

function Facts({ task }: { task: TaskDetailed }) {
  const { t, moment } = useLanguage();
  const { me } = useMe();
  const { assignee, substitute } = task;
  return (
    <Details
      details={[
        [t('column.application'), <ApplicationTitle key="application" task={task} />],
        [t('column.priority'), <Priority key="priority" priority={task.priority} />],
        [
          t('column.assignee'),
          assignee && (
            <>
              <Link to={`users/${assignee.id}`}>{assignee.label}</Link>
              {assignee.id === me.id && ` ${t('task.me')}`}
              {substitute && (
                <small className="for-person muted">
                  {t(substitute.id === me.id ? 'away.stand-in.you' : 'away.stand-in', {
                    name: substitute.label,
                  })}
                </small>
              )}
            </>
          ),
        ],
        [t('column.group'), task.group?.label],
        [t('column.candidates'), task.candidates.map(({ label }) => label).join(', ')],
        [t('column.followUpDate'), task.followUpDate && moment(task.followUpDate)],
        [t('column.creationDate'), moment(task.creationDate)],
      ]}
    />
  );
}
