import { useState } from 'react';
import type { Content } from '../../api-client/types.js';
import { Highlighted } from '../components/highlighted.js';
import { Link } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { type ContentKind, describeKind } from './content-kinds.js';
import { newsStateAt } from './news-dates.js';

/** An item of a list of content: its title, details, and the first lines of its text. */
export function ContentEntry({
  kind,
  content,
  text,
}: {
  kind: ContentKind;
  content: Content;
  /** The filter text of the list. */
  text: string;
}) {
  const { t, day, size } = useLanguage();
  const [now] = useState(() => new Date().toISOString());
  const { details, teaser } = describeKind(kind);
  const present = (name: string): string => {
    const value = content[name];
    if (value === null || value === undefined) return '';
    if (name === 'size') return size(value as number);
    return name === 'publicationDate' ? day(value as string) : (value as string);
  };
  const known = details.map(present).filter((detail) => detail !== '');
  const state = newsStateAt(content, now);
  const words = content[teaser];
  return (
    <li className="content-entry">
      <Link to={`${kind}/${content.id}`} className="task-title">
        <Highlighted text={content.label} query={text} />
      </Link>
      {state !== 'out' && <span className="chip">{t(`content.${state}`)}</span>}
      {known.length > 0 && <small>{known.join(' · ')}</small>}
      {typeof words === 'string' && words !== '' && <p>{words}</p>}
    </li>
  );
}
