import type { ReactNode } from 'react';
import { BASE } from '../../api-client/api.js';

/** Details with their names, without blank ones. */
export function Details({ details }: { details: [name: string, value: ReactNode][] }) {
  const known = details.filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  if (known.length === 0) return null;
  return (
    <dl className="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The address of a path that the main API stores without the base path; any other address as it is. */
export const fromRoot = (href: string): string => (href.startsWith('/') ? BASE + href : href);

/** Opens an address outside the workplace. */
export const outside = (href: string) => ({
  href,
  target: '_blank',
  rel: 'noopener noreferrer',
});
