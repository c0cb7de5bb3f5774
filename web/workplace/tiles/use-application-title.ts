import type { Task } from '../../api-client/types.js';
import { useWorkplace } from '../workplace-context.js';

/** The title of a task's application: that of its tile, which is in the reader's language, where there is one. */
export function useApplicationTitle(): (task: Task) => string {
  const { categories = [] } = useWorkplace();
  const titles = new Map(
    categories.flatMap(({ applications }) => applications.map(({ id, title }) => [id, title])),
  );
  return ({ application, applicationTitle }) =>
    titles.get(application?.uri ?? '') ?? applicationTitle;
}
