import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { Task } from '../../api-client/types.js';
import { BulkBar, BulkResults, type TaskResult } from './bulk-bar.js';
import type { Selection } from './task-table.js';

/**
 * The chosen tasks of a list, and the actions on all of them. Tasks stay chosen on other pages of the list.
 * @param changed called after an action
 */
export function useBulk(changed: () => void): { selection: Selection; bar: ReactNode } {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Task>>(new Map());
  const [results, setResults] = useState<TaskResult[]>();
  const toggle = useCallback((task: Task) => {
    setResults(undefined);
    setChosen((last) => {
      const next = new Map(last);
      if (!next.delete(task.id)) next.set(task.id, task);
      return next;
    });
  }, []);
  const clear = () => setChosen(new Map());
  const finish = (found: TaskResult[]) => {
    setResults(found);
    const reached = new Set(found.map(({ name }) => name));
    setChosen((last) => new Map([...last].filter(([id]) => !reached.has(id))));
    changed();
  };
  const selection = useMemo(() => ({ chosen, toggle }), [chosen, toggle]);
  const bar = results ? (
    <BulkResults results={results} rest={chosen.size} close={() => setResults(undefined)} />
  ) : chosen.size > 0 ? (
    <BulkBar chosen={[...chosen.values()]} clear={clear} finished={finish} />
  ) : null;
  return { selection, bar };
}
