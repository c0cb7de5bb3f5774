import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from '../router.js';

/** A short list on the home page, with a link to the whole list. */
export function TodayCard({
  title,
  more,
  children,
}: {
  title: string;
  /** The address of the whole list, and the text of its link. */
  more?: { to: string; label: string };
  children: ReactNode;
}) {
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      {children}
      {more && (
        <Link to={more.to} className="all">
          {more.label} <ArrowRight aria-hidden />
        </Link>
      )}
    </section>
  );
}
