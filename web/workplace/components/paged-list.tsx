import type { ReactNode } from 'react';
import { getPage } from '../../api-client/api.js';
import { useLoad } from '../../api-client/use-load.js';
import type { TextKey } from '../translations/en.js';
import { useLanguage } from '../translations/i18n.js';
import { Pager } from './pager.js';
import { Ready } from './ready.js';

/** One page of a list without a total, because counting a million rows takes long. */
export function PagedList<T>({
  address,
  start,
  size,
  count,
  go,
  children,
}: {
  /** The address of the list in the API, with its range. */
  address: string;
  start: number;
  /** Rows of a page. */
  size: number;
  /** Announces the number of rows on the page. */
  count: TextKey;
  go: (start: number) => void;
  children: (items: T[]) => ReactNode;
}) {
  const { t } = useLanguage();
  const loaded = useLoad(address, (signal) => getPage<T>(address, signal));
  return (
    <Ready loaded={loaded}>
      {({ items, hasNext }) => (
        <div aria-busy={loaded.isBusy}>
          <p className="unseen" role="status">
            {t(count, { smart_count: items.length })}
          </p>
          {children(items)}
          <Pager
            start={start}
            shown={items.length}
            size={size}
            hasNext={hasNext}
            go={(next) => {
              go(next);
              scrollTo(0, 0);
            }}
          />
        </div>
      )}
    </Ready>
  );
}
