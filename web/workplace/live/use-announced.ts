import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import type { LiveCounters } from './live-counters.js';

/** Everybody affected gets a streamed message at the same moment: they ask within this time, in milliseconds. */
const SPREAD = 2_000;

/**
 * Asks for what the stream announces but does not carry: which tasks are next, and what a new tile shows
 * (docs/decisions/0035-live-counters.md). A tab that nobody looks at asks for nothing.
 * @param live the numbers of the stream
 * @param asked how many tasks waited when the page last asked: what a stream begins with may be newer
 * @param isUnreachable whether the page shows that the server is unreachable, which a stream disproves
 * @param ask asks for the tasks, and for the tiles where they have changed
 * @returns whether something is announced that the page has not asked for; from then on it counts as asked for
 */
export function useAnnounced(
  live: LiveCounters | undefined,
  asked: number | undefined,
  isUnreachable: boolean,
  ask: (hasNewTiles: boolean) => void,
): () => boolean {
  const announced = useRef<{ tiles: boolean }>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const askSoon = useCallback(
    (tiles: boolean) => {
      announced.current = { tiles: tiles || announced.current?.tiles === true };
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        const due = announced.current;
        if (!due || document.visibilityState !== 'visible') return;
        announced.current = undefined;
        ask(due.tiles);
      }, Math.random() * SPREAD);
    },
    [ask],
  );
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [askSoon],
  );

  const waiting = live?.waiting;
  const tiles = live && Object.keys(live.applications).join();
  const last = useRef<{ waiting?: number; tiles: string }>(undefined);
  // A change from before the stream began may be missing from what the page has read.
  const begins = useRef(true);
  const compare = useEffectEvent((waiting: number | undefined, tiles: string) => {
    const before = {
      waiting: begins.current ? asked : last.current?.waiting,
      tiles: last.current?.tiles ?? tiles,
    };
    begins.current = false;
    last.current = { waiting, tiles };
    if (before.tiles !== tiles) askSoon(true);
    else if (before.waiting !== waiting) askSoon(false);
  });
  const hasAsked = asked !== undefined;
  useEffect(() => {
    if (tiles === undefined) begins.current = true;
    else if (hasAsked) compare(waiting, tiles);
  }, [waiting, tiles, hasAsked]);

  const isStreaming = live !== undefined;
  useEffect(() => {
    if (isStreaming && isUnreachable) askSoon(true);
  }, [isStreaming, isUnreachable, askSoon]);

  return useCallback(() => {
    const isAnnounced = announced.current !== undefined;
    announced.current = undefined;
    return isAnnounced;
  }, []);
}
