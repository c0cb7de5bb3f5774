import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { type ApiProblem, bodyOf, conditional, get, send } from '../api-client/api.js';
import type {
  WorkplaceApplication,
  WorkplaceCategory,
  Locale,
  Ref,
  UserDetailed,
  WaitingCounts,
} from '../api-client/types.js';
import { SignInsContext, toProblem } from '../api-client/use-load.js';
import type { LiveCounters } from './live/live-counters.js';
import { useAnnounced } from './live/use-announced.js';
import { useLiveCounters } from './live/use-live-counters.js';
import { useRouter } from './router.js';

/** How often a visible page polls the counters, in milliseconds. */
const INTERVAL = 30_000;

/** The same while the counters are live, for titles and new tiles. */
const LIVE_INTERVAL = 300_000;

const FAVOURITES = '/api/v2/directory/users/me/favourites';

interface Favourites {
  applications: Ref[];
}

const urisIn = ({ applications }: Favourites): string[] => applications.map(({ uri }) => uri);

const loadFavourites = async (): Promise<string[]> => urisIn(await get<Favourites>(FAVOURITES));

/** The address of one favourite. It ends in the id, because some proxies refuse a URI, whose slashes are encoded. */
const favouriteAt = (uri: string): string =>
  `/navigation/workplace/favourites/${uri.slice(uri.lastIndexOf('/') + 1)}`;

const WAITING = '/api/v2/process/tasks/waiting/counts';

/** Who is signed in. */
interface Me {
  me: UserDetailed;
  reload: () => void;
  /** Shows the page in a language immediately, and stores it. Restores the old language if that fails. */
  chooseLocale: (locale: Locale) => void;
}

export const MeContext = createContext<Me | undefined>(undefined);

export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('no user is signed in');
  return me;
}

interface WorkplaceData {
  categories?: WorkplaceCategory[];
  /** The counts of the inbox. */
  waiting?: WaitingCounts;
  /** Increases when the waiting tasks may have changed. */
  tasksRound: number;
  /** The streamed numbers of the saved filters; undefined without a stream. */
  streamedFilters?: LiveCounters['filters'];
  /** URIs of applications, in the person's order; undefined until they are loaded. */
  favourites?: string[];
  problem?: ApiProblem;
  refresh: () => void;
  /** Adds an application to the favourites, or removes it. @throws ApiProblem */
  chooseFavourite: (uri: string, isChosen: boolean) => Promise<unknown>;
}

const WorkplaceContext = createContext<WorkplaceData | undefined>(undefined);

export function useWorkplace(): WorkplaceData {
  const data = useContext(WorkplaceContext);
  if (!data) throw new Error('WorkplaceProvider is missing');
  return data;
}

/**
 * Provides tiles, counters and the counts of the inbox: the numbers from a stream, the rest by conditional calls.
 * Without a stream, a visible page polls everything.
 */
export function WorkplaceProvider({ children }: { children: ReactNode }) {
  const [categories, setCategories] = useState<WorkplaceCategory[]>();
  const [waiting, setWaiting] = useState<WaitingCounts>();
  const [favourites, setFavourites] = useState<string[]>();
  const [problem, setProblem] = useState<ApiProblem>();
  const [tasksRound, renewTasks] = useReducer((round: number) => round + 1, 0);
  /** Changes of the favourites run one after another, so that the person's last choice wins. */
  const lastChange = useRef<Promise<unknown>>(Promise.resolve());
  const { path } = useRouter();
  const readTiles = useMemo(() => conditional<WorkplaceCategory[]>('/navigation/workplace'), []);
  const readWaiting = useMemo(() => conditional<WaitingCounts>(WAITING), []);
  const { me } = useMe();
  /** The last live numbers, shown until newer ones arrive from the stream or a call. */
  const [streamed, setStreamed] = useState<LiveCounters>();
  const isLive = useRef(false);
  const lastRefresh = useRef(0);
  const hasProblem = useRef(false);
  const hasCounts = useRef(false);

  const fail = useCallback((error: unknown) => {
    setProblem(toProblem(error));
    hasProblem.current = true;
  }, []);
  const showCounts = useCallback((counts: { value: WaitingCounts; isNew: boolean }) => {
    setProblem(undefined);
    if (counts.isNew) setWaiting(counts.value);
    // The first counts arrive with the first tasks.
    if (hasProblem.current || (counts.isNew && hasCounts.current)) renewTasks();
    hasProblem.current = false;
    hasCounts.current = true;
  }, []);

  const refresh = useCallback(() => {
    // Runs after pending changes, which it would otherwise undo on the screen.
    lastChange.current = lastChange.current
      .then(loadFavourites)
      .then(setFavourites, () => undefined);
    lastRefresh.current = Date.now();
    Promise.all([readTiles(), readWaiting()]).then(([tiles, counts]) => {
      if (!isLive.current) setStreamed(undefined);
      if (tiles.isNew) setCategories(tiles.value);
      showCounts(counts);
    }, fail);
  }, [readTiles, readWaiting, showCounts, fail]);

  const { live, check } = useLiveCounters(me.uri, () => isVisible() && refresh());
  const askAnnounced = useCallback(
    (hasNewTiles: boolean) => {
      renewTasks();
      if (hasNewTiles) refresh();
      // The inbox offers the applications of waiting tasks, which the stream does not contain.
      else if (path === 'tasks') readWaiting().then(showCounts, fail);
    },
    [refresh, path, readWaiting, showCounts, fail],
  );
  const takeAnnounced = useAnnounced(live, waiting?.count, problem?.status === 0, askAnnounced);
  const look = useCallback(() => {
    if (!isVisible()) return;
    if (takeAnnounced()) renewTasks();
    refresh();
  }, [refresh, takeAnnounced]);

  // A person who opens another page sees current counters, and learns whether the session has ended.
  useEffect(refresh, [refresh, path, useContext(SignInsContext), me.locale]);

  useEffect(() => {
    isLive.current = live !== undefined;
    if (live) setStreamed(live);
  }, [live]);

  useChanges(live?.overdue, (overdue) => setWaiting((shown) => shown && { ...shown, overdue }));

  useLooks(look, () => {
    check();
    return !isLive.current || hasProblem.current || isOld(lastRefresh.current);
  });

  /** Shows the change immediately, then the server's list, also after a rejection. */
  const chooseFavourite = useCallback(
    (uri: string, isChosen: boolean) => {
      setFavourites((shown = []) => [
        ...shown.filter((one) => one !== uri),
        ...(isChosen ? [uri] : []),
      ]);
      const method = isChosen ? 'PUT' : 'DELETE';
      const change = lastChange.current.then(() => send(favouriteAt(uri), { method }));
      lastChange.current = change
        .then(async (answer) => setFavourites(urisIn(await bodyOf<Favourites>(answer))))
        .catch(refresh);
      return change;
    },
    [refresh],
  );

  const data = {
    categories: useMemo(() => withNumbers(categories, streamed), [categories, streamed]),
    waiting: waiting && streamed ? { ...waiting, count: streamed.waiting } : waiting,
    tasksRound,
    streamedFilters: live?.filters,
    favourites,
    problem,
    refresh,
    chooseFavourite,
  };
  return <WorkplaceContext value={data}>{children}</WorkplaceContext>;
}

const isOld = (refresh: number): boolean => Date.now() - refresh >= LIVE_INTERVAL;

/** Applies each change of a streamed number. A later answer of a call wins over an unchanged streamed number. */
function useChanges(streamed: number | undefined, show: (streamed: number) => void): void {
  const showIt = useEffectEvent(show);
  useEffect(() => {
    if (streamed !== undefined) showIt(streamed);
  }, [streamed]);
}

const isVisible = (): boolean => document.visibilityState === 'visible';

/** Loads when the page comes back into view or the network returns, and every 30 seconds while `isDue` is true. */
function useLooks(look: () => void, isDue: () => boolean): void {
  const lookIfDue = useEffectEvent(() => {
    if (isDue()) look();
  });
  useEffect(() => {
    const timer = setInterval(() => lookIfDue(), INTERVAL);
    document.addEventListener('visibilitychange', look);
    addEventListener('online', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', look);
    };
  }, [look]);
}

/** The tiles with the numbers of the stream. */
function withNumbers(
  categories: WorkplaceCategory[] | undefined,
  streamed: LiveCounters | undefined,
): WorkplaceCategory[] | undefined {
  if (!categories || !streamed) return categories;
  const numberOf = (application: WorkplaceApplication): WorkplaceApplication['indicator'] => {
    const count = streamed.applications[application.id];
    if (count === undefined) return application.indicator;
    return count === null ? null : { type: 'COUNTER', count };
  };
  return categories.map((category) => ({
    ...category,
    applications: category.applications.map((one) => ({ ...one, indicator: numberOf(one) })),
  }));
}
