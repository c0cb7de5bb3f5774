import { patch } from '../../api-client/api.js';
import type { Task } from '../../api-client/types.js';
import { toProblem } from '../../api-client/use-load.js';
import { type ToastAction, useToast } from '../components/toast.js';
import { useLanguage } from '../translations/i18n.js';

/** The server's reasons when it is too late to withdraw a decision. */
const CONFIRMED = 'decision-confirmed';

/** Reopens a completed task from the message about its completion. */
export function useReopen(task: Pick<Task, 'uri' | 'title'>, changed: () => unknown): ToastAction {
  const { t, problem } = useLanguage();
  const toast = useToast();
  const reopen = async () => {
    try {
      await patch(`/api/v2${task.uri}`, [
        { op: 'test', path: '/status', value: 'done' },
        { op: 'replace', path: '/status', value: 'open' },
      ]);
      toast({ text: t('tasks.reopened', { title: task.title }) });
    } catch (error) {
      const found = toProblem(error);
      const text = found.code === CONFIRMED ? t('tasks.undo.late') : problem(found);
      toast({ text, isRefusal: true });
    }
    await changed();
  };
  return { label: t('tasks.undo'), run: () => void reopen(), subject: task.uri };
}
