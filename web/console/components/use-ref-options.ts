import { useEffect, useState } from 'react';
import { getPage, query } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import { resourceOf, type ResourceName } from '../resources.js';

/** How many records of each kind the picker offers, and the pause in typing before it loads them. */
const OFFERED = 15;
const PAUSE_MS = 180;
/** The server does not compare longer texts (docs/api-contract.md#filters). */
const MAX_TEXT = 128;

/** Records of several resources whose label or reference contains a text. */
async function find(
  targets: ResourceName[],
  text: string,
  within: string | undefined,
  signal: AbortSignal,
): Promise<Ref[]> {
  const wanted = text.trim().slice(0, MAX_TEXT);
  const byText = [`label:contains:${wanted}`, `reference:contains:${wanted}`];
  // A further condition is combined with the text by AND, so the text can only match the label.
  const filters = within === undefined ? byText : [byText[0]!, within];
  const search = query({
    range: `0-${OFFERED}`,
    sorter: 'label',
    filters: wanted === '' ? within : filters,
    filterMode: wanted === '' || within !== undefined ? undefined : 'or',
  });
  const pages = await Promise.all(
    targets.map((target) => getPage<Ref>(`${resourceOf(target).path}${search}`, signal)),
  );
  return pages.flatMap(({ items }, at) =>
    items.map(({ id, uri, reference, label }) => {
      // A link names a service account as the user that it is.
      const linked = targets[at] === 'service-accounts' ? `/directory/users/${id}` : uri;
      return { id, uri: linked, reference, label };
    }),
  );
}

/** The picker's options for a text: records, whether a search is under way, and why it failed. */
interface RefOptions {
  options: Ref[];
  isBusy: boolean;
  problem: unknown;
}

/**
 * Searches records while a picker is open, after each pause in typing.
 * @param within a filter on the records
 */
export function useRefOptions(
  targets: ResourceName[],
  { isOpen, text, within }: { isOpen: boolean; text: string; within: string | undefined },
): RefOptions {
  const [options, setOptions] = useState<Ref[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const kinds = targets.join();
  useEffect(() => {
    if (!isOpen) return;
    const controller = new AbortController();
    const { signal } = controller;
    setBusy(true);
    const timer = setTimeout(() => {
      // The picker shows why a search failed; the next letter repeats it.
      const settle = (found: Ref[], error?: unknown) => {
        if (signal.aborted) return;
        setOptions(found);
        setProblem(error);
        setBusy(false);
      };
      find(kinds.split(',') as ResourceName[], text, within, signal).then(
        settle,
        (error: unknown) => settle([], error),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isOpen, text, kinds, within]);
  return { options, isBusy, problem };
}
