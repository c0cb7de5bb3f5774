import { type ReactNode, useEffect, useRef } from 'react';
import { BrandMark } from '../components/brand-mark.js';
import { LanguageChoice } from '../components/preferences.js';
import { useLanguage } from '../translations/i18n.js';

/** A card in the middle of a page that people open without a session. */
export function EntryCard({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
}) {
  const { titleOf } = useLanguage();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = titleOf(title);
  }, [titleOf, title]);
  // Screen readers announce a new card, for example after a submitted form.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <BrandMark isLarge />
        <h1 tabIndex={-1} ref={heading}>
          {title}
        </h1>
        {lead !== undefined && <p className="lead">{lead}</p>}
        {children}
      </div>
      <LanguageChoice />
    </main>
  );
}
