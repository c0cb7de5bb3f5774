import { highlight } from '../search/highlight.js';

export function Highlighted({ text, query }: { text: string; query: string }) {
  return highlight(text, query).map(({ text: part, found }, at) =>
    found ? <mark key={at}>{part}</mark> : part,
  );
}
