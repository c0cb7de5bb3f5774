import { ArrowUpRight, Star } from 'lucide-react';
import { useToast } from '../components/toast.js';
import { toProblem } from '../../api-client/use-load.js';
import type { TextKey } from '../translations/en.js';
import { useLanguage } from '../translations/i18n.js';
import type { WorkplaceApplication } from '../../api-client/types.js';
import { Count } from '../components/count.js';
import { Highlighted } from '../components/highlighted.js';
import { outside } from '../components/details.js';
import { Link, pageOf } from '../router.js';
import { TILE_ICONS } from '../../theme/tile-icons.js';
import { useWorkplace } from '../workplace-context.js';

/** The application's icon on its colour; the first letter without an icon. */
export function TileIcon({
  application,
}: {
  application: Pick<WorkplaceApplication, 'icon' | 'tileColor' | 'title'>;
}) {
  const { icon, tileColor, title } = application;
  const Icon = TILE_ICONS[icon];
  return (
    <span className="tile-icon" data-color={tileColor} aria-hidden>
      {Icon ? <Icon /> : ([...title][0] ?? '')}
    </span>
  );
}

export function Tile({
  application,
  filter,
}: {
  application: WorkplaceApplication;
  filter: string;
}) {
  const { t } = useLanguage();
  const { title, indicator, type } = application;
  const label = (
    <>
      <TileIcon application={application} />
      <span className="tile-title" title={title}>
        <Highlighted text={title} query={filter} />
      </span>
    </>
  );
  return (
    <li className="tile">
      <TileLink application={application}>
        {label}
        {type === 'PROCESS' && indicator === null && (
          <span className="count unknown" title={t('tile.uncounted')}>
            <span aria-hidden>–</span>
            <span className="unseen">{t('tile.uncounted')}</span>
          </span>
        )}
        {indicator !== null && indicator.count > 0 && (
          <Count value={indicator.count}>
            <span className="unseen">{t('tile.tasks', { smart_count: indicator.count })}</span>
          </Count>
        )}
      </TileLink>
      <FavouriteButton application={application} />
    </li>
  );
}

/** A PROCESS opens its tasks here unless it has another address; a LINK opens its address. */
function TileLink({
  application: { id, type, link, targetBlank },
  children,
}: {
  application: WorkplaceApplication;
  children: React.ReactNode;
}) {
  const { t } = useLanguage();
  const own =
    pageOf(link) ??
    (type === 'PROCESS' && link === '' ? id.replace('/navigation/', '') : undefined);
  if (own !== undefined && !targetBlank)
    return (
      <Link to={own} className="tile-link">
        {children}
      </Link>
    );
  if (!targetBlank)
    return (
      <a href={link} className="tile-link">
        {children}
      </a>
    );
  return (
    <a {...outside(link)} className="tile-link">
      {children}
      <ArrowUpRight className="away" aria-hidden />
      <span className="unseen">({t('opens.window')})</span>
    </a>
  );
}

/** The messages of statuses for favourites, which differ from the general ones. */
const PROBLEMS: Record<number, TextKey> = { 404: 'tile.gone', 409: 'tile.full' };

function FavouriteButton({ application: { id, title } }: { application: WorkplaceApplication }) {
  const { t, problem: explain } = useLanguage();
  const toast = useToast();
  const { favourites, chooseFavourite } = useWorkplace();
  const isFavourite = favourites?.includes(id) ?? false;
  const choose = () =>
    chooseFavourite(id, !isFavourite).catch((error: unknown) => {
      const problem = toProblem(error);
      const key = PROBLEMS[problem.status];
      toast({ text: key ? t(key, { title }) : explain(problem), isRefusal: true });
    });
  return (
    <button
      className="favourite"
      aria-pressed={isFavourite}
      disabled={!favourites}
      aria-label={t(isFavourite ? 'tile.remove' : 'tile.add', { title })}
      onClick={() => void choose()}
    >
      <Star aria-hidden />
    </button>
  );
}
