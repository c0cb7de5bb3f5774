import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useRouter } from '../router.js';
import type { TextKey } from '../translations/en.js';
import { useLanguage } from '../translations/i18n.js';
import { useWorkplace } from '../workplace-context.js';

/**
 * A page. Its name appears in the window's title with the number of waiting tasks, and its heading gets the focus when
 * it opens.
 */
export function Page({
  title,
  name,
  kind,
  lead,
  aside,
  list,
  children,
}: {
  title?: TextKey;
  name?: string;
  kind?: string;
  lead?: ReactNode;
  aside?: ReactNode;
  /** The list of this page, the target of the way back. */
  list?: string;
  children: ReactNode;
}) {
  const { t, titleOf } = useLanguage();
  const { path } = useRouter();
  const heading = useRef<HTMLHeadingElement>(null);
  const text = name ?? t(title!);
  const { waiting } = useWorkplace();
  const count = waiting?.count ?? 0;
  useEffect(() => {
    // The number comes first, because a tab shows only a few letters.
    document.title = `${count > 0 ? `(${count}) ` : ''}${titleOf(text)}`;
  }, [text, titleOf, count]);
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || !activeElement?.isConnected || hasOpened)
      heading.current?.focus({ preventScroll: true });
    hasOpened = true;
  }, [path]);
  return (
    <main id="main" className="page">
      {path !== '' && (
        <Link to={list ?? ''} className="back">
          <ArrowLeft aria-hidden /> {t(list === undefined ? 'back' : 'back.list')}
        </Link>
      )}
      <header className="page-head">
        <div>
          {kind !== undefined && <p className="kind">{kind}</p>}
          <h1 tabIndex={-1} ref={heading}>
            {text}
          </h1>
          {lead !== undefined && <div className="lead">{lead}</div>}
        </div>
        {aside}
      </header>
      {children}
    </main>
  );
}

/** The first page does not take the focus from the browser. */
let hasOpened = false;
