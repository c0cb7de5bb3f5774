import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { BASE } from '../api-client/api.js';

/** The prefix of the workplace's own addresses. */
const ROOT = `${BASE}/workplace`;

/** The path below /workplace, without slashes around it; empty is the first page. */
export const currentPath = (): string =>
  location.pathname.slice(ROOT.length).replace(/^\/|\/$/g, '');

const currentPlace = () => ({ path: currentPath(), search: location.search });

/** The next place. Opening the same page again is a new visit. */
const nextPlace = ({ visit }: { visit: number }) => ({ ...currentPlace(), visit: visit + 1 });

interface Router {
  path: string;
  /** The query of the address, with its question mark; empty without one. */
  search: string;
  /** The number of opened pages, so that a link to the open page restarts it. */
  visit: number;
  /**
   * The page whose link opened this one, with its query; undefined for an address that was typed or opened from
   * outside.
   */
  from: string | undefined;
  /** `replaces`: the way back skips the present page. */
  go: (path: string, options?: { replaces: boolean }) => void;
}

const RouterContext = createContext<Router>({
  path: '',
  search: '',
  visit: 0,
  from: undefined,
  go: () => undefined,
});
export const useRouter = (): Router => useContext(RouterContext);

export function RouterProvider({ children }: { children: ReactNode }) {
  const [{ path, search, visit }, setPlace] = useState(() => ({ ...currentPlace(), visit: 0 }));
  useEffect(() => {
    const follow = () => setPlace(nextPlace);
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const router = useMemo(
    () => ({
      path,
      search,
      visit,
      from: (history.state as { from?: string } | null)?.from,
      go: (next: string, { replaces } = { replaces: false }) => {
        if (replaces) history.replaceState(null, '', addressOf(next));
        else history.pushState({ from: path + location.search }, '', addressOf(next));
        setPlace(nextPlace);
        scrollTo(0, 0);
      },
    }),
    [path, search, visit],
  );
  return <RouterContext value={router}>{children}</RouterContext>;
}

export const addressOf = (path: string): string => (path === '' ? ROOT : `${ROOT}/${path}`);

/** Stores the state of a page in its address, without a new entry in the browser's history. */
export const keepQuery = (query: string): void =>
  history.replaceState(history.state, '', location.pathname + query);

/** The page of the workplace behind an address of a tile or a search record; undefined for other addresses. */
export const pageOf = (address: string): string | undefined =>
  address === ROOT || address.startsWith(`${ROOT}/`) ? address.slice(ROOT.length + 1) : undefined;

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string };

/** A link to a page of the workplace. The browser handles clicks with a modifier. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const { go } = useRouter();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
  };
  return <a href={addressOf(to)} onClick={follow} {...rest} />;
}
