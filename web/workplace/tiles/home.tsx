import { LayoutGrid, List, SearchX, Sparkles, X } from 'lucide-react';
import { useState } from 'react';
import { matches } from '../search/highlight.js';
import { useSearchText } from '../search/search-text.js';
import { useLanguage } from '../translations/i18n.js';
import type { WorkplaceApplication, WorkplaceCategory } from '../../api-client/types.js';
import { Segments } from '../components/preferences.js';
import { Empty, Problem } from '../components/empty.js';
import { FormProblem } from '../components/form-problem.js';
import { Page } from '../components/page.js';
import { Skeleton } from '../components/ready.js';
import { Link } from '../router.js';
import { Today } from '../home/today.js';
import { WaitingSentence } from '../tasks/waiting-sentence.js';
import { Tile } from './tile.js';
import { useMe, useWorkplace } from '../workplace-context.js';

type Layout = 'grid' | 'list';
const LAYOUT_KEY = 'layout';

/** All tiles, each once. */
const tilesOf = (categories: WorkplaceCategory[]): WorkplaceApplication[] => [
  ...new Map(
    categories.flatMap(({ applications }) => applications).map((one) => [one.id, one]),
  ).values(),
];

export function Home() {
  const { t, problem: explain } = useLanguage();
  const { me } = useMe();
  const { categories, waiting, problem, refresh } = useWorkplace();
  const { text: filter, setText: setFilter } = useSearchText();
  const [layout, setLayout] = useState<Layout>(
    localStorage.getItem(LAYOUT_KEY) === 'list' ? 'list' : 'grid',
  );
  const chooseLayout = (next: Layout) => {
    localStorage.setItem(LAYOUT_KEY, next);
    setLayout(next);
  };
  return (
    <Page
      name={t('home.hello', { name: me.nickName ?? me.firstName ?? me.title })}
      lead={
        waiting && (
          <p>
            <Link to="tasks">
              <WaitingSentence waiting={waiting} />
            </Link>
          </p>
        )
      }
      aside={
        <Segments
          label={t('home.view')}
          value={layout}
          onChange={chooseLayout}
          options={[
            ['grid', <LayoutGrid key="grid" role="img" aria-label={t('home.grid')} />],
            ['list', <List key="list" role="img" aria-label={t('home.list')} />],
          ]}
        />
      }
    >
      <div className="home">
        <Today />
        <div className="all-tiles">
          {problem && categories && <FormProblem text={explain(problem)} />}
          {problem && !categories && <Problem problem={problem} onRetry={refresh} />}
          {!problem && !categories && <Skeleton />}
          {categories && (
            <Tiles
              categories={categories}
              filter={filter}
              layout={layout}
              clear={() => setFilter('')}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

function Tiles({
  categories,
  filter,
  layout,
  clear,
}: {
  categories: WorkplaceCategory[];
  filter: string;
  layout: Layout;
  clear: () => void;
}) {
  const { t } = useLanguage();
  const { favourites } = useWorkplace();
  const byUri = new Map(tilesOf(categories).map((one) => [one.id, one]));
  const sections = [
    {
      id: 'favourites',
      title: t('home.favourites'),
      applications: (favourites ?? []).flatMap((uri) => byUri.get(uri) ?? []),
    },
    ...categories,
  ]
    .map(({ id, title, applications }) => ({
      id,
      title,
      applications: applications.filter((one) =>
        matches(`${one.title} ${one.keywords} ${one.reference}`, filter),
      ),
    }))
    .filter(({ applications }) => applications.length > 0);
  const shown = new Set(sections.flatMap(({ applications }) => applications.map(({ id }) => id)));
  return (
    <>
      <p className="unseen" role="status">
        {filter !== '' && t('home.matches', { smart_count: shown.size })}
      </p>
      {categories.length === 0 && (
        <Empty icon={Sparkles} title={t('home.empty')} hint={t('home.empty.hint')} />
      )}
      {categories.length > 0 && shown.size === 0 && (
        <Empty icon={SearchX} title={t('home.none', { text: filter })}>
          <button className="button" onClick={clear}>
            <X aria-hidden /> {t('home.clear')}
          </button>
        </Empty>
      )}
      {sections.map(({ id, title, applications }) => (
        <section key={id} aria-label={title} className="category">
          <h2>{title}</h2>
          <ul className={`tiles ${layout}`}>
            {applications.map((one) => (
              <Tile key={one.id} application={one} filter={filter} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
