import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useRouter } from '../router.js';

/** The text in the search field; the home page filters its tiles by it. */
interface SearchText {
  text: string;
  setText: (text: string) => void;
}

const SearchTextContext = createContext<SearchText>({ text: '', setText: () => undefined });
export const useSearchText = (): SearchText => useContext(SearchTextContext);

/** The text of the results page, from its address. */
export const textIn = (search: string): string => new URLSearchParams(search).get('q') ?? '';

/** The path of the results page of a text. */
export const resultsOf = (text: string): string => `search?${new URLSearchParams({ q: text })}`;

/** Another page starts with the text in its address, or without one. */
export function SearchTextProvider({ children }: { children: ReactNode }) {
  const { path, search } = useRouter();
  const place = path + search;
  const [typed, setTyped] = useState<{ place: string; text: string }>();
  const own = path === 'search' ? textIn(search) : '';
  const text = typed?.place === place ? typed.text : own;
  const value = useMemo(
    () => ({ text, setText: (next: string) => setTyped({ place, text: next }) }),
    [text, place],
  );
  return <SearchTextContext value={value}>{children}</SearchTextContext>;
}
