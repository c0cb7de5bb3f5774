import { useState } from 'react';
import { Box, Button, Card, MenuItem, TextField, useMediaQuery } from '@mui/material';
import { type Theme } from '@mui/material/styles';
import { ListBase, Pagination, useListContext } from 'react-admin';
import { Download, ListFilter } from 'lucide-react';
import { ExportButton } from '../csv/export-button.js';
import type { Item } from '../api/data-provider.js';
import { descriptionOf } from '../api/description.js';
import { useTexts } from '../translations/i18n.js';
import { Nothing } from '../list/list-page.js';
import { Page, Pending } from '../layout/page.js';
import { resourceOf } from '../resources.js';
import { DebouncedField } from '../components/debounced-field.js';
import { useFilters } from '../filters/use-filters.js';
import { codeLabel } from '../components/value.js';
import { AuditLines } from './audit-lines.js';

const PER_PAGE = 25;

/** Every write, sign-in and rejected call, filtered by actor, action and time. */
export function Audit() {
  return (
    <ListBase
      resource="audit"
      perPage={PER_PAGE}
      sort={resourceOf('audit').sort}
      disableAuthentication
      queryOptions={{ onError: () => undefined }}
    >
      <View />
    </ListBase>
  );
}

function View() {
  const texts = useTexts();
  const { data, error, refetch } = useListContext<Item>();
  return (
    <Page
      title={texts('audit.title')}
      lead={texts('audit.lead')}
      actions={<ExportButton icon={<Download size={17} aria-hidden />} />}
    >
      <Card>
        <FoldedFilters />
        {data && !error ? (
          <>
            <AuditLines lines={data} />
            {data.length === 0 && <Nothing />}
          </>
        ) : (
          <Box sx={{ p: 2 }}>
            <Pending error={error} onRetry={() => void refetch()} />
          </Box>
        )}
        <Pagination rowsPerPageOptions={[25, 100, 500]} />
      </Card>
    </Page>
  );
}

const MAX_TEXT = { htmlInput: { maxLength: 128 } };

const WHO = 'actor.reference@contains';
const WHAT = 'action@eq';
const OBJECT = 'object.uri@contains';
const FROM = 'creationDate@gte';
const UNTIL = 'creationDate@lte';

/** A moment in the form of a datetime-local field: local time without an offset. */
function localTime(timestamp: string | undefined): string {
  if (timestamp === undefined) return '';
  const date = new Date(timestamp);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** On a phone the filters would fill the screen, so a button shows them. */
function FoldedFilters() {
  const texts = useTexts();
  const { filters } = useFilters();
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'));
  const [isOpen, setOpen] = useState(false);
  if (!isNarrow) return <AuditFilters />;
  const count = Object.keys(filters).length;
  return (
    <>
      <Button
        startIcon={<ListFilter size={17} aria-hidden />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        sx={{ m: 1 }}
      >
        {count === 0 ? texts('audit.filters') : texts('audit.filters.on', { smart_count: count })}
      </Button>
      {isOpen && <AuditFilters />}
    </>
  );
}

function AuditFilters() {
  const texts = useTexts();
  const { filters, set } = useFilters();
  const codes = descriptionOf('audit').attribute('action')?.codes ?? [];
  const moment = (key: string, label: string) => (
    <TextField
      type="datetime-local"
      label={label}
      slotProps={{ inputLabel: { shrink: true } }}
      value={localTime(filters[key])}
      onChange={({ target }) =>
        set(key, target.value === '' ? '' : new Date(target.value).toISOString())
      }
    />
  );
  return (
    <Box
      sx={{
        p: 1.5,
        display: 'grid',
        gap: 1.5,
        // Two rows below a certain width: who, what and to what above, from and until below.
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr)',
          sm: 'repeat(6, minmax(0, 1fr))',
          xl: 'repeat(5, minmax(0, 1fr))',
        },
        '& > *': { gridColumn: { sm: 'span 2', xl: 'auto' } },
        '& > :nth-last-of-type(-n + 2)': { gridColumn: { sm: 'span 3', xl: 'auto' } },
      }}
    >
      <DebouncedField
        label={texts('audit.who')}
        value={filters[WHO] ?? ''}
        onTyped={(value) => set(WHO, value)}
        slotProps={MAX_TEXT}
      />
      <TextField
        select
        label={texts('audit.what')}
        value={filters[WHAT] ?? ''}
        onChange={(event) => set(WHAT, event.target.value)}
      >
        <MenuItem value="">{texts('audit.anything')}</MenuItem>
        {codes.map((code) => (
          <MenuItem key={code} value={String(code)}>
            {codeLabel('audit', 'action', code, texts)}
          </MenuItem>
        ))}
      </TextField>
      <DebouncedField
        label={texts('audit.uri')}
        value={filters[OBJECT] ?? ''}
        onTyped={(value) => set(OBJECT, value)}
        slotProps={MAX_TEXT}
      />
      {moment(FROM, texts('audit.from'))}
      {moment(UNTIL, texts('audit.until'))}
    </Box>
  );
}
