import {
  Building2,
  CircleHelp,
  Ellipsis,
  FileText,
  House,
  ListChecks,
  type LucideIcon,
  Newspaper,
  Users,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Count } from '../components/count.js';
import { Link, useRouter } from '../router.js';
import type { TextKey } from '../translations/en.js';
import { useLanguage } from '../translations/i18n.js';
import { useWorkplace } from '../workplace-context.js';
import { useMenu } from './use-menu.js';

interface Destination {
  path: string;
  label: TextKey;
  icon: LucideIcon;
  /** The first segments of further pages of this destination. */
  also?: string;
}

const MAIN: Destination[] = [
  { path: '', label: 'nav.home', icon: House },
  { path: 'tasks', label: 'search.tasks', icon: ListChecks, also: 'applications' },
  { path: 'people', label: 'people.title', icon: Users, also: 'users' },
  { path: 'news', label: 'search.news', icon: Newspaper },
];

const MORE: Destination[] = [
  { path: 'documents', label: 'search.documents', icon: FileText },
  { path: 'faqs', label: 'search.faqs', icon: CircleHelp, also: 'help' },
  { path: 'customers', label: 'search.customers', icon: Building2 },
];

/** The main pages: in the header of wide screens, and in a bar at the bottom of narrow ones. */
export function Navigation() {
  const { t } = useLanguage();
  return (
    <nav className="navigation" aria-label={t('nav')}>
      <ul>
        {MAIN.map((one) => (
          <Item key={one.path} {...one}>
            {one.path === 'tasks' && <WaitingCount />}
          </Item>
        ))}
        <li>
          <More />
        </li>
      </ul>
      <Announcement />
    </nav>
  );
}

function Item({
  path: to,
  label,
  icon: Icon,
  also,
  children,
}: Destination & { children?: ReactNode }) {
  const { t } = useLanguage();
  const { path } = useRouter();
  const below = isBelow(path, { path: to, also }) || undefined;
  return (
    <li>
      <Link to={to} className="navigation-link" aria-current={path === to ? 'page' : below}>
        <Icon aria-hidden />
        <span>{t(label)}</span>
        {children}
      </Link>
    </li>
  );
}

/** Whether a page belongs to a destination. */
function isBelow(page: string, { path, also }: Pick<Destination, 'path' | 'also'>): boolean {
  const [first] = page.split('/');
  return first !== '' && (first === path || first === also);
}

/** How many tasks wait for the person. */
function WaitingCount() {
  const { t } = useLanguage();
  const { waiting } = useWorkplace();
  if (!waiting || waiting.count === 0) return null;
  return (
    <Count value={waiting.count} most={MOST_COUNTED}>
      <span className="unseen"> {t('nav.waiting', { smart_count: waiting.count })}</span>
    </Count>
  );
}

/** Least time between two announcements, in milliseconds, so that a screen reader does not talk all the time. */
const ANNOUNCED_EVERY = 60_000;

/** Tells screen readers that further tasks wait. */
function Announcement() {
  const { t } = useLanguage();
  const { waiting } = useWorkplace();
  const count = waiting?.count;
  const last = useRef<{ count?: number; time: number }>({ time: 0 });
  const [announced, setAnnounced] = useState<number>();
  useEffect(() => {
    const { count: before, time } = last.current;
    last.current.count = count;
    if (before === undefined || count === undefined || count <= before) return;
    if (Date.now() - time < ANNOUNCED_EVERY) return;
    last.current.time = Date.now();
    setAnnounced(count);
  }, [count]);
  return (
    <p className="unseen" aria-live="polite">
      {announced !== undefined &&
        `${t('search.tasks')}: ${t('nav.waiting', { smart_count: announced })}`}
    </p>
  );
}

/** The largest number that fits into the bar of a phone. */
const MOST_COUNTED = 99;

function More() {
  const { t } = useLanguage();
  const { path } = useRouter();
  const menu = useMenu();
  const isHere = MORE.some((one) => isBelow(path, one));
  return (
    <details className="more-menu" ref={menu}>
      <summary className="navigation-link" data-current={isHere}>
        <Ellipsis aria-hidden />
        <span>{t('nav.more')}</span>
      </summary>
      <ul>
        {MORE.map((one) => (
          <Item key={one.path} {...one} />
        ))}
      </ul>
    </details>
  );
}
