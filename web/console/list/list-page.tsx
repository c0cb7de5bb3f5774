import type { ComponentProps } from 'react';
import {
  Box,
  Button,
  Card,
  Checkbox,
  Skeleton,
  Stack,
  Typography,
  useMediaQuery,
} from '@mui/material';
import { type Theme } from '@mui/material/styles';
import { Download, Inbox, Network, Plus, SearchX, Upload } from 'lucide-react';
import {
  ColumnsButton,
  DataTable,
  ListBase,
  Pagination,
  useDataTableRenderContext,
  useListContext,
  useRecordContext,
  useResourceContext,
  useTranslate,
} from 'react-admin';
import { Link } from 'react-router';
import { AssignTasks } from './assign-tasks.js';
import { BulkActions, useBulkActions } from './bulk-actions.js';
import { ExportButton } from '../csv/export-button.js';
import type { Item } from '../api/data-provider.js';
import { type Attribute, descriptionOf, isLong } from '../api/description.js';
import { FilterBar } from './filter-bar.js';
import { useTexts } from '../translations/i18n.js';
import { Page, Pending } from '../layout/page.js';
import { nameOf, type ResourceName, resourceOf } from '../resources.js';
import { useRights } from '../session/app-context.js';
import { TileIcon } from '../components/tile-preview.js';
import { attributeLabel, Value } from '../components/value.js';

const PER_PAGE = 25;
const PER_PAGE_OPTIONS = [25, 50, 100, 500];

/** The possible columns: the attributes of list items, the resource's own choice first. */
export function columnsOf(resource: string): Attribute[] {
  const { columns } = resourceOf(resource);
  const listed = descriptionOf(resource).attributes.filter(
    ({ listed, name }) => listed && name !== 'uri' && name !== 'photo',
  );
  const chosen = columns.flatMap((name) => listed.find((one) => one.name === name) ?? []);
  return [...chosen, ...listed.filter((one) => !chosen.includes(one))];
}

/** The list of a resource, built from the server's description of its attributes. */
export function ListPage() {
  const resource = useResourceContext()!;
  return (
    <ListBase
      perPage={PER_PAGE}
      sort={resourceOf(resource).sort}
      disableAuthentication
      queryOptions={{ onError: () => undefined }}
    >
      <ListView />
    </ListBase>
  );
}

function ListView() {
  const texts = useTexts();
  const translate = useTranslate();
  const resource = useResourceContext()!;
  const title = translate(`resources.${resource}.name`, { smart_count: 2 });
  const rights = useRights();
  const actions = (
    <>
      {resource === 'organizations' && (
        <Button
          component={Link}
          to="/organizations/tree"
          startIcon={<Network size={17} aria-hidden />}
        >
          {texts('tree.title')}
        </Button>
      )}
      {!resourceOf(resource).withoutFiles && (
        <>
          {rights.imports(resource) && (
            <Button
              component={Link}
              to={`/${resource}/import`}
              startIcon={<Upload size={17} aria-hidden />}
            >
              {texts('import')}
            </Button>
          )}
          <ExportButton icon={<Download size={17} aria-hidden />} />
        </>
      )}
      {resource === 'tasks' && rights.assignsTasks && <AssignTasks />}
      {rights.permitsAny(resource, 'create') && (
        <Button
          component={Link}
          to={`/${resource}/create`}
          variant="contained"
          startIcon={<Plus size={17} aria-hidden />}
        >
          {texts('create')}
        </Button>
      )}
    </>
  );
  return (
    <Page title={title} actions={actions}>
      <ListCard />
    </Page>
  );
}

/** The list itself: filters, rows, pages. */
export function ListCard({ isReadOnly = false }: { isReadOnly?: boolean }) {
  const { error, refetch } = useListContext<Item>();
  const resource = useResourceContext()!;
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down('md'));
  return (
    <Card sx={{ overflow: 'hidden' }}>
      <FilterBar columns={isNarrow ? null : <ColumnsButton resource={resource} />} />
      <Order />
      {error ? (
        <Box sx={{ p: 2 }}>
          <Pending error={error} onRetry={() => void refetch()} />
        </Box>
      ) : isNarrow ? (
        <Cards isReadOnly={isReadOnly} />
      ) : (
        <Rows isReadOnly={isReadOnly} />
      )}
      <Pagination rowsPerPageOptions={PER_PAGE_OPTIONS} />
    </Card>
  );
}

function Rows({ isReadOnly }: { isReadOnly: boolean }) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const attributes = columnsOf(resource);
  const hasActions = useBulkActions().length > 0 && !isReadOnly;
  const { columns } = resourceOf(resource);
  const hidden = attributes.map(({ name }) => name).filter((name) => !columns.includes(name));
  return (
    <DataTable
      rowClick={isReadOnly ? false : 'edit'}
      bulkActionButtons={hasActions ? <BulkActions /> : false}
      hiddenColumns={hidden}
      empty={<Nothing />}
      sx={{ '& .RaDataTable-tableWrapper': { overflowX: 'auto' } }}
    >
      {attributes.map((attribute, at) => (
        <Column
          key={attribute.name}
          source={attribute.name}
          label={attributeLabel(attribute.name, texts)}
          disableSort={!attribute.sortable}
        >
          <Cell attribute={attribute} isFirst={at === 0} />
        </Column>
      ))}
    </DataTable>
  );
}

/** A column whose header tells assistive technology how it sorts the list. */
function Column(column: ComponentProps<typeof DataTable.Col>) {
  const { sort } = useListContext();
  const isSorting = useDataTableRenderContext() === 'header' && sort.field === column.source;
  const direction = sort.order === 'DESC' ? 'desc' : 'asc';
  return <DataTable.Col {...column} sortDirection={isSorting ? direction : undefined} />;
}

/** The order of the list in words, because its column may be hidden, and a narrow screen has no headers. */
function Order() {
  const texts = useTexts();
  const { sort } = useListContext();
  return (
    <Typography variant="body2" color="textSecondary" sx={{ px: 1.5, pt: 1, pb: { xs: 1, md: 0 } }}>
      {texts(sort.order === 'DESC' ? 'list.sorted.desc' : 'list.sorted.asc', {
        name: attributeLabel(sort.field, texts),
      })}
    </Typography>
  );
}

/** The first cell of a row links to the record, also for keyboard users. */
function Cell({ attribute, isFirst }: { attribute: Attribute; isFirst: boolean }) {
  const resource = useResourceContext()!;
  const record = useRecordContext<Item>();
  if (!record) return null;
  const value = <Value resource={resource} attribute={attribute} value={record[attribute.name]} />;
  if (isFirst && resource !== 'audit') return <RecordLink record={record} />;
  if (!isLong(attribute)) return value;
  return (
    <Box
      sx={{
        maxWidth: '36ch',
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        whiteSpace: 'nowrap',
      }}
    >
      {value}
    </Box>
  );
}

function RecordLink({ record }: { record: Item }) {
  const resource = useResourceContext()!;
  return (
    <Box
      component={Link}
      to={`/${resource}/${record.id}`}
      onClick={(event: React.MouseEvent) => event.stopPropagation()}
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1.25,
        fontWeight: 560,
        color: 'text.primary',
        // Keeps a name readable, however wide the other columns are.
        minWidth: '11rem',
        overflowWrap: 'anywhere',
      }}
    >
      {resource === 'applications' && (
        <TileIcon
          title={String(record.title)}
          icon={record.icon as string | null}
          tileColor={record.tileColor as string | null}
          size={28}
        />
      )}
      {String(record[nameOf(resource as ResourceName)])}
    </Box>
  );
}

/**
 * The most important attributes of a record besides its name, and the maximum number of further ones in a narrow row.
 */
const STATE = new Set(['status', 'state', 'active', 'dueDate', 'endDate']);

/** Attributes whose values need no label. */
const SPEAKING = new Set(['status', 'state']);
const MOST_FACTS = 4;

/** The second line of a narrow row: status, activity and due date. */
function State({ attributes, record }: { attributes: Attribute[]; record: Item }) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const shown = attributes.filter(({ name }) => (record[name] ?? null) !== null);
  if (shown.length === 0) return null;
  return (
    <Stack
      direction="row"
      useFlexGap
      spacing={1}
      sx={{ flexWrap: 'wrap', alignItems: 'center', mt: 0.5, fontSize: '0.86rem' }}
    >
      {shown.map((attribute) => (
        <span key={attribute.name} data-state={attribute.name}>
          {!SPEAKING.has(attribute.name) && `${attributeLabel(attribute.name, texts)}: `}
          <Value resource={resource} attribute={attribute} value={record[attribute.name]} />
        </span>
      ))}
    </Stack>
  );
}

/** Rows for narrow screens, stacked, each with the first attributes. */
function Cards({ isReadOnly }: { isReadOnly: boolean }) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const { data, isPending, selectedIds, onToggleItem } = useListContext<Item>();
  const hasActions = useBulkActions().length > 0 && !isReadOnly;
  const chosen = columnsOf(resource).slice(1, resourceOf(resource).columns.length);
  const state = chosen.filter(({ name }) => STATE.has(name));
  const others = chosen.filter((one) => !state.includes(one)).slice(0, MOST_FACTS);
  if (isPending) return <Skeleton variant="rectangular" height={320} />;
  if (!data || data.length === 0) return <Nothing />;
  return (
    <>
      {hasActions && selectedIds.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, p: 1.5, bgcolor: 'action.selected' }}>
          <Typography sx={{ alignSelf: 'center', mr: 'auto' }}>
            {texts('selected', { smart_count: selectedIds.length })}
          </Typography>
          <BulkActions />
        </Box>
      )}
      <Box component="ul" sx={{ p: 0, m: 0 }}>
        {data.map((record) => (
          <Box
            component="li"
            key={record.id}
            sx={{ display: 'flex', gap: 1, p: 1.5, borderTop: 1, borderColor: 'divider' }}
          >
            {hasActions && (
              <Checkbox
                checked={selectedIds.includes(record.id)}
                onChange={() => onToggleItem(record.id)}
                aria-label={texts('select', { label: String(record.label) })}
                sx={{ alignSelf: 'start', p: 0.5 }}
              />
            )}
            <Box sx={{ minWidth: 0, flex: 1 }}>
              <RecordLink record={record} />
              <State attributes={state} record={record} />
              <Box
                component="dl"
                sx={{
                  display: 'grid',
                  gridTemplateColumns: 'auto 1fr',
                  columnGap: 1.5,
                  rowGap: 0.25,
                  mt: 0.5,
                  fontSize: '0.86rem',
                }}
              >
                {others.map((attribute) => (
                  <Box key={attribute.name} sx={{ display: 'contents' }}>
                    <Box component="dt" sx={{ color: 'text.secondary' }}>
                      {attributeLabel(attribute.name, texts)}
                    </Box>
                    <Box component="dd" sx={{ overflowWrap: 'anywhere', minWidth: 0 }}>
                      <Value
                        resource={resource}
                        attribute={attribute}
                        value={record[attribute.name]}
                      />
                    </Box>
                  </Box>
                ))}
              </Box>
            </Box>
          </Box>
        ))}
      </Box>
    </>
  );
}

/** The message instead of rows, with a link that clears the filters. */
export function Nothing() {
  const texts = useTexts();
  const { setFilters, ...list } = useListContext();
  const isFiltered = Object.keys(list.filterValues as object).length > 0;
  const Icon = isFiltered ? SearchX : Inbox;
  return (
    <Stack spacing={1.5} sx={{ px: 2, py: 6, alignItems: 'center', color: 'text.secondary' }}>
      <Icon size={26} aria-hidden />
      <Typography>{texts(isFiltered ? 'list.none' : 'list.empty')}</Typography>
      {isFiltered && (
        <Button variant="outlined" onClick={() => setFilters({}, [], false)}>
          {texts('filter.clear')}
        </Button>
      )}
    </Stack>
  );
}
