import type { Answer } from './test-server.js';

/** The names in a ValidationError, in their order. */
export const fieldNames = ({ body }: Answer): string[] =>
  ((body as { fields?: { name: string }[] }).fields ?? []).map(({ name }) => name);

/** A query string; a value that is an array is repeated. */
export function query(parameters: Record<string, string | string[]>): string {
  const pairs = Object.entries(parameters).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return `?${pairs.join('&')}`;
}

/** The addresses in a Link header by their relation. */
export function linksOf({ headers }: Answer): Record<string, string> {
  const links = String(headers.link ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"/g);
  return Object.fromEntries([...links].map(([, address, relation]) => [relation, address]));
}
