import { patch } from '../../api-client/api.js';
import type { Task } from '../../api-client/types.js';
import { toProblem } from '../../api-client/use-load.js';
import { useToast } from '../components/toast.js';
import { useLanguage } from '../translations/i18n.js';

/** Takes back that a task is done. */
export function useReopen(
  task: Pick<Task, 'uri' | 'title'>,
  changed: () => unknown,
): () => Promise<void> {
  const { t, problem } = useLanguage();
  const toast = useToast();
  return async () => {
    try {
      await patch(`/api/v2${task.uri}`, [
        { op: 'test', path: '/status', value: 'done' },
        { op: 'replace', path: '/status', value: 'open' },
      ]);
      toast({ text: t('tasks.reopened', { title: task.title }) });
    } catch (error) {
      toast({ text: problem(toProblem(error)), isRefusal: true });
    }
    await changed();
  };
}
