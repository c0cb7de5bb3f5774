import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { ApiProblem, bodyOf, get, query, send } from '../../api-client/api.js';
import type { Task, TaskDetailed } from '../../api-client/types.js';
import { type Loaded, useLoad } from '../../api-client/use-load.js';
import { useMe, useWorkplace } from '../workplace-context.js';

/** How often a visible page polls an open task, in milliseconds. */
const INTERVAL = 10_000;

/** The same while a decision waits for its engine, which usually answers at once. */
const SHORT_INTERVAL = 2_000;

/** A change of a task by another person while its page is open. */
export type Notice = 'closed' | 'taken' | 'changed' | 'gone';

/** A task, and the ETag of the shown revision, on which the person decides. */
interface Version {
  task: TaskDetailed;
  etag: string;
}

/** The state of a task's page. */
interface Shown extends Version {
  notice?: Notice;
}

export interface WatchedTask {
  loaded: Loaded<TaskReader>;
  shown: Shown | undefined;
  /** Reloads the task after the person's own change. */
  ask: () => Promise<void>;
}

/**
 * A task that stays current while its page is open. It reloads when the live counters change, when the page comes back
 * into view, and every few seconds while the task is open or its decision waits for the engine.
 * @param id its id or its reference; digits alone are an id
 */
export function useTask(id: string): WatchedTask {
  const { me } = useMe();
  const { waiting, tasksRound } = useWorkplace();
  const [latest, setLatest] = useState<Shown>();
  const loaded = useLoad(id, async (signal) => {
    const task = new TaskReader(await pathOf(id, signal));
    await task.read();
    return task;
  });
  const reader = loaded.value;
  const ask = useCallback(async () => {
    if (!reader) return;
    const before = reader.version;
    try {
      const version = await reader.read();
      // It may be back as it was.
      if (version === before)
        return setLatest((shown) => (shown?.notice === 'gone' ? { ...version } : shown));
      const notice = noticeOf(before.task, version.task, me.id);
      setLatest((shown) => ({ ...version, notice: notice ?? keptNotice(shown) }));
    } catch (error) {
      // Without an answer, the shown task stays, because the person may be writing a comment.
      if (!(error instanceof ApiProblem)) throw error;
      if (error.status === 404) setLatest({ ...before, notice: 'gone' });
    }
  }, [reader, me.id]);
  const shown: Shown | undefined = latest ?? reader?.version;
  const interval = shown && intervalOf(shown.task);

  const count = waiting?.count;
  useEffect(() => void ask(), [ask, count, tasksRound]);
  const look = useEffectEvent(() => {
    if (document.visibilityState === 'visible') void ask();
  });
  useEffect(() => {
    const askAgain = () => look();
    const timer = interval === undefined ? undefined : setInterval(askAgain, interval);
    document.addEventListener('visibilitychange', askAgain);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', askAgain);
    };
  }, [interval]);
  return { loaded, shown, ask };
}

/** The polling interval of a task; undefined for one that can no longer change. */
const intervalOf = ({ status, confirmation }: Task): number | undefined => {
  if (confirmation === 'pending') return SHORT_INTERVAL;
  return status === 'open' ? INTERVAL : undefined;
};

/** @throws ApiProblem 404 for a reference that no task has */
async function pathOf(id: string, signal: AbortSignal): Promise<string> {
  // Candidates see a closed task only by itself, not in a list.
  if (/^\d+$/.test(id)) return `/api/v2/process/tasks/${id}`;
  const filters = `reference:eq:${id}`;
  const [task] = await get<Task[]>(`/api/v2/process/tasks${query({ filters })}`, signal);
  if (!task) throw new ApiProblem(404, 'no such task');
  return `/api/v2${task.uri}`;
}

/** Polls a task with one call at a time, so that an older answer never replaces a newer one. */
class TaskReader {
  /** Valid after the first reading. */
  version = { etag: '' } as Version;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly path: string) {}

  /** @throws ApiProblem */
  read(): Promise<Version> {
    const reading = this.last.then(
      () => this.fetch(),
      () => this.fetch(),
    );
    this.last = reading;
    return reading;
  }

  private async fetch(): Promise<Version> {
    const { etag } = this.version;
    const headers = etag === '' ? undefined : { 'If-None-Match': etag };
    const response = await send(this.path, { headers });
    if (response.status !== 304)
      this.version = {
        task: await bodyOf<TaskDetailed>(response),
        etag: response.headers.get('ETag') ?? '',
      };
    return this.version;
  }
}

/** The notice about a change; undefined for the person's own changes. */
function noticeOf(before: TaskDetailed, after: TaskDetailed, me: string): Notice | undefined {
  if (after.status !== 'open')
    return before.status === 'open' && after.closedBy?.id !== me ? 'closed' : undefined;
  const isMoved = after.assignee?.id !== before.assignee?.id;
  if (isMoved) return after.assignee !== null && after.assignee.id !== me ? 'taken' : undefined;
  return contentOf(before) === contentOf(after) ? undefined : 'changed';
}

/** The attributes on which a person bases a decision. */
export const contentOf = ({ title, description, variables, outcomes }: TaskDetailed): string =>
  JSON.stringify([title, description, variables, outcomes]);

/** The notice of a changed task stays until the next notice. */
const keptNotice = (shown: Shown | undefined): Notice | undefined =>
  shown?.notice === 'changed' ? 'changed' : undefined;
