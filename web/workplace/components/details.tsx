import type { ReactNode } from 'react';
import { BASE } from '../../api-client/api.js';

/** Details with their names; blank ones are left out. */
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

/** Opens an address that came from the API outside of the workplace. */
export const outside = (href: string) => ({
  href: href.startsWith('/') ? BASE + href : href,
  target: '_blank',
  rel: 'noopener noreferrer',
});
