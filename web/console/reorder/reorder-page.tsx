import { useEffect, useMemo, useRef, useState } from 'react';
import { Alert, Box, Chip, Stack, Typography } from '@mui/material';
import { useDataProvider, useNotify } from 'react-admin';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Ref } from '../../api-client/types.js';
import { fetchAll } from '../api/fetch-all.js';
import { useTexts } from '../translations/i18n.js';
import { Page, Pending, Section } from '../layout/page.js';
import { useNotifyError } from '../components/use-notify-error.js';
import { TilePreview } from '../components/tile-preview.js';
import { useRights } from '../session/app-context.js';
import { newPositions, type Placed } from './positions.js';
import { SortableList } from './sortable.js';

interface PlacedCategory extends Placed, Ref {
  id: string;
  active: boolean;
}

interface PlacedApplication extends PlacedCategory {
  title: string;
  icon: string | null;
  tileColor: string | null;
  categories: Ref[];
}

const SORTER = 'position,label';

/** The order of the workplace: categories, and the tiles of each, dragged into their places. */
export function ReorderPage() {
  const texts = useTexts();
  const categories = useQuery({
    queryKey: ['reorder', 'categories'],
    queryFn: () => fetchAll<PlacedCategory>('categories', { sorter: SORTER }),
  });
  const applications = useQuery({
    queryKey: ['reorder', 'applications'],
    queryFn: () => fetchAll<PlacedApplication>('applications', { sorter: SORTER }),
  });
  const rights = useRights();
  const error = categories.error ?? applications.error;
  const without = applications.data?.filter((one) => one.categories.length === 0) ?? [];
  return (
    <Page title={texts('reorder.title')} lead={texts('reorder.lead')}>
      {categories.data && applications.data ? (
        <>
          <Section title={texts('reorder.categories')}>
            <div inert={!rights.permitsAny('categories', 'change')}>
              <Ordered resource="categories" items={categories.data}>
                {(category) => <CategoryRow category={category} />}
              </Ordered>
            </div>
          </Section>
          {categories.data.map((category) => (
            <CategorySection
              key={category.id}
              category={category}
              applications={applications.data}
            />
          ))}
          {without.length > 0 && (
            <Alert severity="info">
              {texts('reorder.without')}{' '}
              {without.map(({ id, label }, at) => (
                <span key={id}>
                  {at > 0 && ', '}
                  <Link to={`/applications/${id}`}>{label}</Link>
                </span>
              ))}
            </Alert>
          )}
        </>
      ) : (
        <Pending error={error} onRetry={() => void categories.refetch()} />
      )}
    </Page>
  );
}

function CategoryRow({ category: { id, label, active } }: { category: PlacedCategory }) {
  const texts = useTexts();
  return (
    <Stack direction="row" spacing={1} sx={{ py: 0.75, alignItems: 'center' }}>
      <Link to={`/categories/${id}`}>{label}</Link>
      {!active && <Chip size="small" label={texts('inactive')} />}
    </Stack>
  );
}

function CategorySection({
  category,
  applications,
}: {
  category: PlacedCategory;
  applications: PlacedApplication[];
}) {
  const texts = useTexts();
  const items = useMemo(
    () => applications.filter(({ categories }) => categories.some(({ id }) => id === category.id)),
    [applications, category.id],
  );
  return (
    <Section title={category.label}>
      {items.length === 0 && <Typography color="textSecondary">{texts('reorder.none')}</Typography>}
      <Ordered resource="applications" items={items} isGrid>
        {(application) => (
          <Box
            component={Link}
            to={`/applications/${application.id}`}
            sx={{
              display: 'block',
              color: 'text.primary',
              '&:hover': { textDecoration: 'none' },
            }}
          >
            <TilePreview
              {...application}
              note={application.active ? undefined : texts('inactive')}
            />
          </Box>
        )}
      </Ordered>
    </Section>
  );
}

/**
 * Entries in order. The page shows a new order immediately, writes it after earlier ones, and undoes it if the server
 * rejects it.
 */
function Ordered<T extends PlacedCategory>({
  resource,
  items,
  children,
  isGrid,
}: {
  resource: string;
  items: T[];
  children: (item: T) => React.ReactNode;
  isGrid?: boolean;
}) {
  const texts = useTexts();
  const notify = useNotify();
  const notifyError = useNotifyError();
  const queries = useQueryClient();
  const dataProvider = useDataProvider();
  const [shown, setShown] = useState(items);
  /** The server's positions, and the orders waiting to be written. */
  const stored = useRef(new Map<string, number>());
  const waiting = useRef<T[][]>([]);
  useEffect(() => {
    if (waiting.current.length > 0) return;
    setShown(items);
    stored.current = new Map(items.map(({ id, position }) => [id, position]));
  }, [items]);
  const store = async (order: T[]) => {
    const placed = order.map(({ id, position }) => ({
      id,
      position: stored.current.get(id) ?? position,
    }));
    for (const { id, position } of newPositions(placed)) {
      await dataProvider.updateMany(resource, { ids: [id], data: { position } });
      stored.current.set(id, position);
    }
  };
  const order = async (next: T[]) => {
    setShown(next);
    if (waiting.current.push(next) > 1) return;
    // Drops a list requested earlier, which lacks this order.
    await queries.cancelQueries();
    try {
      for (; waiting.current.length > 0; waiting.current.shift()) await store(waiting.current[0]!);
      notify(texts('reorder.saved'), { type: 'success' });
    } catch (error) {
      waiting.current = [];
      setShown(items);
      notifyError(error);
    }
    await queries.invalidateQueries();
  };
  return (
    <SortableList items={shown} onOrder={(next) => void order(next)} isGrid={isGrid}>
      {children}
    </SortableList>
  );
}
