import { type ReactNode, useState } from 'react';
import {
  Box,
  Button,
  Chip,
  InputAdornment,
  Popover,
  Stack,
  ToggleButton,
  ToggleButtonGroup,
} from '@mui/material';
import { ListFilter, Search } from 'lucide-react';
import { useResourceContext } from 'react-admin';
import { MODE } from '../api/data-provider.js';
import { descriptionOf } from '../api/description.js';
import { DebouncedField } from '../components/debounced-field.js';
import { takesNoValue } from '../filters/filter.js';
import { useFilterLabel } from '../filters/filter-label.js';
import { NewFilter } from '../filters/new-filter.js';
import { useFilters } from '../filters/use-filters.js';
import { useTexts } from '../translations/i18n.js';

/** The attributes that the search field above a list compares. */
const SEARCH = 'label@contains';

/** The search field, new filters with all operators of the server, and the active filters. */
export function FilterBar({ columns }: { columns: ReactNode }) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const { filters, set, clear } = useFilters();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const shown = Object.entries(filters).filter(([key]) => key !== SEARCH && key !== MODE);
  return (
    <Box sx={{ p: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        {descriptionOf(resource).attribute('label')?.listed && resource !== 'audit' && (
          <SearchField value={filters[SEARCH] ?? ''} onTyped={(text) => set(SEARCH, text)} />
        )}
        <Button
          startIcon={<ListFilter size={17} aria-hidden />}
          aria-haspopup="dialog"
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          {texts('filter.add')}
        </Button>
        <Box sx={{ ml: 'auto' }}>{columns}</Box>
      </Stack>
      {shown.length > 0 && (
        <Stack
          direction="row"
          useFlexGap
          spacing={1}
          sx={{ flexWrap: 'wrap', mt: 1.25, alignItems: 'center' }}
        >
          {Object.keys(filters).filter((key) => key !== MODE).length > 1 && (
            <ToggleButtonGroup
              exclusive
              size="small"
              aria-label={texts('filter.mode')}
              value={filters[MODE] ?? 'and'}
              onChange={(_, mode: string | null) =>
                mode !== null && set(MODE, mode === 'or' ? mode : '')
              }
              sx={{ '& button': { py: 0.25 } }}
            >
              <ToggleButton value="and">{texts('filter.and')}</ToggleButton>
              <ToggleButton value="or">{texts('filter.or')}</ToggleButton>
            </ToggleButtonGroup>
          )}
          {shown.map(([key, value]) => (
            <FilterChip key={key} name={key} value={value} onDelete={() => set(key, '')} />
          ))}
          <Button size="small" onClick={clear}>
            {texts('filter.clear')}
          </Button>
        </Stack>
      )}
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': texts('filter.add') } }}
      >
        <NewFilter
          onAdd={({ attribute, operator, value }) => {
            set(`${attribute}@${operator}`, takesNoValue(operator) ? 'true' : value);
            setAnchor(null);
          }}
        />
      </Popover>
    </Box>
  );
}

function SearchField({ value, onTyped }: { value: string; onTyped: (text: string) => void }) {
  const texts = useTexts();
  return (
    <DebouncedField
      value={value}
      onTyped={onTyped}
      placeholder={texts('search')}
      slotProps={{
        htmlInput: { 'aria-label': texts('search'), maxLength: 128 },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <Search size={17} aria-hidden />
            </InputAdornment>
          ),
        },
      }}
      sx={{ width: { xs: '100%', sm: 280 } }}
    />
  );
}

function FilterChip({
  name,
  value,
  onDelete,
}: {
  name: string;
  value: string;
  onDelete: () => void;
}) {
  const [attribute = '', operator = ''] = name.split('@');
  const label = useFilterLabel(useResourceContext()!, { attribute, operator, value });
  return <Chip label={label} onDelete={onDelete} sx={{ maxWidth: '100%' }} />;
}
