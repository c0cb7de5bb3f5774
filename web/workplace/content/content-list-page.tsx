import { SearchX, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Content } from '../../api-client/types.js';
import { Empty } from '../components/empty.js';
import { Page } from '../components/page.js';
import { PagedList } from '../components/paged-list.js';
import { Toolbar } from '../components/toolbar.js';
import { FILTER_PAUSE } from '../list-filter.js';
import { keepQuery } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { useDebounced } from '../use-debounced.js';
import {
  CONTENT_PAGE,
  type ContentChoice,
  contentChoiceIn,
  contentListOf,
  searchOfContent,
} from './content-choice.js';
import { ContentEntry } from './content-entry.js';
import type { ContentKind } from './content-kinds.js';

/** All published content of a kind that the person may see, filtered by title, page by page. */
export function ContentListPage({ kind }: { kind: ContentKind }) {
  const { t } = useLanguage();
  const [choice, setChoice] = useState(() => contentChoiceIn(location.search));
  // The way back from an item leads to the same choice.
  useEffect(() => keepQuery(searchOfContent(choice)), [choice]);
  return (
    <Page title={`search.${kind}`}>
      <Toolbar
        label={t('content.filter')}
        text={choice.text}
        changeText={(text) => setChoice({ text, start: 0 })}
      />
      <ContentList kind={kind} choice={choice} change={setChoice} />
    </Page>
  );
}

function ContentList({
  kind,
  choice,
  change,
}: {
  kind: ContentKind;
  choice: ContentChoice;
  change: (next: ContentChoice) => void;
}) {
  const text = useDebounced(choice.text.trim(), FILTER_PAUSE);
  return (
    <PagedList<Content>
      address={contentListOf(kind, { ...choice, text })}
      start={choice.start}
      size={CONTENT_PAGE}
      count="content.count"
      go={(start) => change({ ...choice, start })}
    >
      {(items) =>
        items.length === 0 ? (
          <NoContent isFiltered={choice.text !== ''} clear={() => change({ text: '', start: 0 })} />
        ) : (
          <ul className="card rows">
            {items.map((item) => (
              <ContentEntry key={item.id} kind={kind} content={item} text={text} />
            ))}
          </ul>
        )
      }
    </PagedList>
  );
}

function NoContent({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  const { t } = useLanguage();
  if (!isFiltered) return <Empty icon={SearchX} title={t('content.empty')} />;
  return (
    <Empty icon={SearchX} title={t('content.none')}>
      <button className="button" onClick={clear}>
        <X aria-hidden /> {t('home.clear')}
      </button>
    </Empty>
  );
}
