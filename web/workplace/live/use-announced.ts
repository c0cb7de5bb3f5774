import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import type { LiveCounters } from './live-counters.js';

/**
 * All affected clients get a message at the same moment. They spread their requests over this time, in milliseconds.
 */
const SPREAD = 2_000;

/**
 * Loads the data that the stream announces but does not contain: the next tasks, and new tiles
 * (docs/decisions/0035-live-counters.md). A hidden tab loads nothing.
 * @param live the numbers of the stream
 * @param asked the number of waiting tasks at the last load, because the first message of a stream may be newer
 * @param isUnreachable whether the page shows that the server is unreachable, which a stream disproves
 * @param ask loads the tasks, and the tiles if they have changed
 * @returns whether the stream announces data that the page has not loaded; it then counts as loaded
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
  // The page's data may lack a change from before the stream began.
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
