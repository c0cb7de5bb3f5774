import { type ReactNode, useState } from 'react';
import { Box, Button, Chip, FormHelperText, Popover, Stack, Typography } from '@mui/material';
import { ListFilter } from 'lucide-react';
import { ResourceContextProvider, useInput } from 'react-admin';
import type { FieldError } from 'react-hook-form';
import { type Filter, readFilter, writeFilter } from '../filters/filter.js';
import { useFilterLabel } from '../filters/filter-label.js';
import { NewFilter } from '../filters/new-filter.js';
import { useTexts } from '../translations/i18n.js';

/**
 * The filters of a view, each built from an attribute of tasks, an operator and a value.
 * @param faultIn returns the text of an error
 */
export function FiltersInput({
  label,
  faultIn,
}: {
  label: string;
  faultIn: (error: FieldError | undefined) => ReactNode;
}) {
  const texts = useTexts();
  const keep = (value: unknown) => value;
  const { field, fieldState } = useInput({ source: 'filters', parse: keep, format: keep });
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const filters = (field.value as string[] | null | undefined) ?? [];
  const set = field.onChange as (filters: string[]) => void;
  const add = (filter: Filter) => {
    set([...new Set([...filters, writeFilter(filter)])]);
    setAnchor(null);
  };
  return (
    <Box role="group" aria-label={label}>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 0.75 }}>
        {label}
      </Typography>
      <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        {filters.map((text) => (
          <FilterChip
            key={text}
            text={text}
            onDelete={() => set(filters.filter((one) => one !== text))}
          />
        ))}
        {filters.length === 0 && <Typography>{texts('view.filters.none')}</Typography>}
        <Button
          startIcon={<ListFilter size={17} aria-hidden />}
          aria-haspopup="dialog"
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          {texts('filter.apply')}
        </Button>
      </Stack>
      {fieldState.error && <FormHelperText error>{faultIn(fieldState.error)}</FormHelperText>}
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': texts('filter.apply') } }}
      >
        <ResourceContextProvider value="tasks">
          <NewFilter isForView onAdd={add} />
        </ResourceContextProvider>
      </Popover>
    </Box>
  );
}

/** A filter as a sentence; an unreadable one keeps the text of the API. */
function FilterChip({ text, onDelete }: { text: string; onDelete: () => void }) {
  const filter = readFilter(text);
  const label = useFilterLabel('tasks', filter ?? { attribute: '', operator: '', value: '' });
  return <Chip label={filter ? label : text} onDelete={onDelete} sx={{ maxWidth: '100%' }} />;
}
