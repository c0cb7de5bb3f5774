import type { Answer } from './test-server.js';

/** The field names of a ValidationError, in their order. */
export const fieldNames = ({ body }: Answer): string[] =>
  ((body as { fields?: { name: string }[] }).fields ?? []).map(({ name }) => name);

/** Builds a query string; an array repeats its parameter. */
export function query(parameters: Record<string, string | string[]>): string {
  const pairs = Object.entries(parameters).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return `?${pairs.join('&')}`;
}

/** The URLs of a Link header by relation. */
export function linksOf({ headers }: Answer): Record<string, string> {
  const links = String(headers.link ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"/g);
  return Object.fromEntries([...links].map(([, address, relation]) => [relation, address]));
}
