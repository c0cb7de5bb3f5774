import { ListChecks } from 'lucide-react';
import type { AnchorHTMLAttributes } from 'react';
import { Photo } from '../../account/photo.js';
import type { SearchRecord, Task } from '../../api-client/types.js';
import { Highlighted } from '../components/highlighted.js';
import { pageOf, useRouter } from '../router.js';
import { TileIcon } from '../tiles/tile.js';
import { useLanguage } from '../translations/i18n.js';

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & {
  record: SearchRecord;
  details: string[];
  query: string;
  onFollow?: () => void;
};

/** A found record as a link to its page; the address of a tile may be outside. */
export function Hit({ record, details, query, onFollow, ...rest }: Props) {
  const language = useLanguage();
  const { t } = language;
  const { go } = useRouter();
  const status = record.taskStatus as Task['status'] | undefined;
  const detail = [
    ...(status && status !== 'open' ? [t(`status.${status}`)] : []),
    ...details.map((name) => present(name, record[name], language)),
  ]
    .filter((value) => typeof value === 'string' && value !== '')
    .join(' · ');
  const page = pageOf(record.HYPERLINK);
  const isAway = record.targetBlank === true;
  return (
    <a
      {...rest}
      className="hit"
      href={record.HYPERLINK}
      {...(isAway && { target: '_blank', rel: 'noopener noreferrer' })}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        onFollow?.();
        if (page === undefined || isAway) return;
        event.preventDefault();
        go(page);
      }}
    >
      <HitIcon record={record} />
      <span className="hit-text">
        <span>
          <Highlighted text={record.TITLE} query={query} />
        </span>
        {detail !== '' && (
          <small>
            <Highlighted text={detail} query={query} />
          </small>
        )}
      </span>
    </a>
  );
}

/** A date in the usual format; other values unchanged. */
function present(
  name: string,
  value: unknown,
  { day, moment }: { day: (timestamp: string) => string; moment: (timestamp: string) => string },
): unknown {
  if (typeof value !== 'string' || value === '') return value;
  if (name === 'dueDate') return moment(value);
  return name === 'publicationDate' ? day(value) : value;
}

function HitIcon({ record }: { record: SearchRecord }) {
  if ('PHOTO' in record) return <Photo id={record.ID} size={32} />;
  if ('taskStatus' in record) return <ListChecks aria-hidden />;
  if (!('tileColor' in record)) return null;
  const { TITLE: title, icon, tileColor } = record;
  return <TileIcon application={{ title, icon: String(icon), tileColor: String(tileColor) }} />;
}
