import { useEffect, useState } from 'react';
import { Box, Card, MenuItem, Stack, TextField, Typography } from '@mui/material';
import { ListBase, Pagination, useListContext } from 'react-admin';
import { Download } from 'lucide-react';
import { ExportButton } from '../csv/export-button.js';
import type { Filters, Item } from '../data-provider.js';
import { descriptionOf } from '../description.js';
import { useTexts } from '../i18n.js';
import { Page, Pending } from '../page.js';
import { resourceOf } from '../resources.js';
import { codeLabel } from '../value.js';
import { AuditLines } from './audit-lines.js';

const PER_PAGE = 25;
const PAUSE_MS = 300;

/** Every write, sign-in and refusal, found by who, what and when. */
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
        <AuditFilters />
        {data && !error ? (
          <>
            <AuditLines lines={data} />
            {data.length === 0 && (
              <Typography color="textSecondary" sx={{ p: 4, textAlign: 'center' }}>
                {texts('list.none')}
              </Typography>
            )}
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

const WHO = 'actorLogin@contains';
const WHAT = 'action@eq';
const OBJECT = 'objectUri@contains';
const FROM = 'date@gte';
const UNTIL = 'date@lte';

/** A moment as a datetime-local field shows it: in the time of this place, without its offset. */
function localTime(timestamp: string | undefined): string {
  if (timestamp === undefined) return '';
  const date = new Date(timestamp);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function AuditFilters() {
  const texts = useTexts();
  const list = useListContext();
  const { setFilters } = list;
  const filters = list.filterValues as Filters;
  const set = (key: string, value: string) => {
    const others = Object.entries(filters).filter(([name]) => name !== key);
    setFilters(Object.fromEntries(value === '' ? others : [...others, [key, value]]), [], false);
  };
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
    <Stack
      direction="row"
      useFlexGap
      spacing={1.5}
      sx={{ p: 1.5, flexWrap: 'wrap', '& > *': { flex: '1 1 14rem' } }}
    >
      <TypedFilter
        label={texts('audit.who')}
        value={filters[WHO] ?? ''}
        onChange={(value) => set(WHO, value)}
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
      <TypedFilter
        label={texts('audit.uri')}
        value={filters[OBJECT] ?? ''}
        onChange={(value) => set(OBJECT, value)}
      />
      {moment(FROM, texts('audit.from'))}
      {moment(UNTIL, texts('audit.until'))}
    </Stack>
  );
}

function TypedFilter({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onChange(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
    // Only typing starts the wait.
  }, [text]);
  return (
    <TextField
      type="search"
      label={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      slotProps={{ htmlInput: { maxLength: 128 } }}
    />
  );
}
