import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { get, query } from '../../api-client/api.js';
import type { Absence } from '../../api-client/types.js';
import { type Loaded, useLoad } from '../../api-client/use-load.js';
import { useMe } from '../workplace-context.js';

/** How long after the date of a change the page looks for it, in milliseconds: the server takes two seconds. */
const LATENESS = 3_000;

/** The longest timeout of a browser, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

const AbsencesContext = createContext<Loaded<Absence[]> | undefined>(undefined);

/** The person's own absences that have not ended, next first. */
export function useAbsences(): Loaded<Absence[]> {
  const loaded = useContext(AbsencesContext);
  if (!loaded) throw new Error('AbsencesProvider is missing');
  return loaded;
}

/** Loads them once, and again when one begins or ends. */
export function AbsencesProvider({ children }: { children: ReactNode }) {
  const { me } = useMe();
  const loaded = useLoad(`absences ${me.id}`, (signal) =>
    get<Absence[]>(
      `/api/v2/process/absences${query({
        filters: [`user:eq:${me.id}`, `endDate:gt:${new Date().toISOString()}`],
        sorter: 'startDate',
      })}`,
      signal,
    ),
  );
  const { value, reload } = loaded;
  useEffect(() => {
    const now = Date.now();
    const next = Math.min(
      ...(value ?? [])
        .flatMap(({ startDate, endDate }) => [Date.parse(startDate), Date.parse(endDate)])
        .filter((date) => date > now),
    );
    if (next === Infinity) return;
    const timer = setTimeout(reload, Math.min(next - now + LATENESS, LONGEST));
    return () => clearTimeout(timer);
  }, [value, reload]);
  return <AbsencesContext value={loaded}>{children}</AbsencesContext>;
}
