import { CircleAlert } from 'lucide-react';
import type { TaskDetailed } from '../../api-client/types.js';
import { useLanguage } from '../translations/i18n.js';
import type { Notice } from './use-task.js';

/** Announces a change of a task by another person while its page is open. */
export function TaskNotice({ task, notice }: { task: TaskDetailed; notice: Notice | undefined }) {
  const { t } = useLanguage();
  const text = (): string => {
    if (notice === 'taken') return t('task.notice.taken', { name: task.assignee?.label ?? '' });
    if (notice !== 'closed') return t(`task.notice.${notice!}`);
    const { status, closedBy, comment } = task;
    if (status === 'cancelled')
      return comment === null
        ? t('task.notice.cancelled')
        : t('task.notice.cancelled.reason', { reason: comment });
    return closedBy
      ? t('task.notice.closed.by', { name: closedBy.label })
      : t('task.notice.closed');
  };
  return (
    <p role="alert" className="form-problem">
      {notice && (
        <>
          <CircleAlert aria-hidden /> {text()}
        </>
      )}
    </p>
  );
}
