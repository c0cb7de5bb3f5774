import { type ReactNode, useState } from 'react';
import {
  Box,
  Button,
  Chip,
  InputAdornment,
  MenuItem,
  Popover,
  Stack,
  TextField,
  ToggleButton,
  ToggleButtonGroup,
} from '@mui/material';
import { ListFilter, Search } from 'lucide-react';
import { useGetOne, useListContext, useResourceContext } from 'react-admin';
import type { Ref } from '../../api-client/types.js';
import { type Filters, type Item, MODE } from '../api/data-provider.js';
import { type Attribute, descriptionOf } from '../api/description.js';
import { type Texts, useTexts } from '../translations/i18n.js';
import { RefPicker } from '../components/ref-picker.js';
import { placeOf, targetsOf } from '../resources.js';
import type { TextKey } from '../translations/en.js';
import { DebouncedField } from '../components/debounced-field.js';
import { attributeLabel, codeLabel, useDates } from '../components/value.js';

/** What the search field above a list compares. */
const SEARCH = 'label@contains';
const takesNoValue = (operator: string): boolean => /^is(not)?empty$/.test(operator);

/** The search field, the filters by every operator that the server names, and the filters in force. */
export function FilterBar({ columns }: { columns: ReactNode }) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const list = useListContext<Item>();
  const { setFilters } = list;
  const filters = list.filterValues as Filters;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const set = (next: Filters) => setFilters(next, [], false);
  const without = (key: string): Filters =>
    Object.fromEntries(Object.entries(filters).filter(([name]) => name !== key));
  const shown = Object.entries(filters).filter(([key]) => key !== SEARCH && key !== MODE);
  return (
    <Box sx={{ p: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        {descriptionOf(resource).attribute('label')?.isListed && resource !== 'audit' && (
          <SearchField
            value={filters[SEARCH] ?? ''}
            onTyped={(text) => set({ ...without(SEARCH), ...(text && { [SEARCH]: text }) })}
          />
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
                mode !== null && set({ ...without(MODE), ...(mode === 'or' && { [MODE]: 'or' }) })
              }
              sx={{ '& button': { py: 0.25 } }}
            >
              <ToggleButton value="and">{texts('filter.and')}</ToggleButton>
              <ToggleButton value="or">{texts('filter.or')}</ToggleButton>
            </ToggleButtonGroup>
          )}
          {shown.map(([key, value]) => (
            <FilterChip key={key} name={key} value={value} onDelete={() => set(without(key))} />
          ))}
          <Button size="small" onClick={() => set({})}>
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
          onAdd={(key, value) => {
            set({ ...filters, [key]: value });
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
  const texts = useTexts();
  const resource = useResourceContext()!;
  const showDate = useDates();
  const [attributeName = '', operator = ''] = name.split('@');
  const attribute = descriptionOf(resource).attribute(attributeName);
  const target = attribute?.type.startsWith('link') ? placeOf(value) : undefined;
  const { data: linked } = useGetOne<Item & Ref>(
    target?.resource ?? resource,
    { id: target?.id ?? '' },
    { enabled: target !== undefined },
  );
  const shownValue = (): string => {
    if (takesNoValue(operator)) return '';
    if (attribute?.type === 'coded') return codeLabel(resource, attributeName, value, texts);
    if (attribute?.type === 'boolean') return texts(value === 'true' ? 'yes' : 'no');
    if (attribute?.type === 'timestamp') return showDate(value);
    return target ? (linked?.label ?? '…') : value;
  };
  const label = `${attributeLabel(attributeName, texts)} ${operatorLabel(attribute, operator, texts)} ${shownValue()}`;
  return <Chip label={label.trim()} onDelete={onDelete} sx={{ maxWidth: '100%' }} />;
}

/** What an operator means; of two moments neither is greater, but one is before the other. */
function operatorLabel(attribute: Attribute | undefined, operator: string, texts: Texts): string {
  const kind =
    attribute?.type === 'timestamp' && /^[gl]te?$/.test(operator) ? 'moment' : 'operator';
  return texts(`${kind}.${operator}` as TextKey);
}

/** Attribute, operator, value: what can be chosen is what `/attributes` says. */
function NewFilter({ onAdd }: { onAdd: (key: string, value: string) => void }) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const filterable = descriptionOf(resource)
    .attributes.filter(({ operators, name }) => operators.length > 0 && name !== 'uri')
    .sort((a, b) => attributeLabel(a.name, texts).localeCompare(attributeLabel(b.name, texts)));
  const [name, setName] = useState('');
  const [operator, setOperator] = useState('');
  const [value, setValue] = useState('');
  const attribute = filterable.find((one) => one.name === name);
  const chooseAttribute = (next: string) => {
    const { operators = [] } = filterable.find((one) => one.name === next) ?? {};
    setName(next);
    setOperator(operators.includes('contains') ? 'contains' : (operators[0] ?? ''));
    setValue('');
  };
  const isReady = attribute !== undefined && (takesNoValue(operator) || value !== '');
  return (
    <Stack
      component="form"
      spacing={2}
      sx={{ p: 2, width: 'min(22rem, 90vw)' }}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onAdd(`${name}@${operator}`, takesNoValue(operator) ? 'true' : value);
      }}
    >
      <TextField
        select
        autoFocus
        label={texts('filter.attribute')}
        value={name}
        onChange={(event) => chooseAttribute(event.target.value)}
      >
        {filterable.map((one) => (
          <MenuItem key={one.name} value={one.name}>
            {attributeLabel(one.name, texts)}
          </MenuItem>
        ))}
      </TextField>
      {attribute && (
        <TextField
          select
          label={texts('filter.operator')}
          value={operator}
          onChange={(event) => setOperator(event.target.value)}
        >
          {attribute.operators.map((one) => (
            <MenuItem key={one} value={one}>
              {operatorLabel(attribute, one, texts)}
            </MenuItem>
          ))}
        </TextField>
      )}
      {attribute && !takesNoValue(operator) && (
        <FilterValue attribute={attribute} value={value} onChange={setValue} />
      )}
      <Button type="submit" variant="contained" disabled={!isReady}>
        {texts('filter.apply')}
      </Button>
    </Stack>
  );
}

/** The value of a filter, as the API reads it. */
function FilterValue({
  attribute,
  value,
  onChange,
}: {
  attribute: Attribute;
  value: string;
  onChange: (value: string) => void;
}) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const [ref, setRef] = useState<Ref | null>(null);
  const label = texts('filter.value');
  if (attribute.type === 'link' || attribute.type === 'links')
    return (
      <RefPicker
        label={label}
        targets={targetsOf(attribute.name)}
        value={ref}
        onChange={(chosen) => {
          setRef(chosen);
          onChange(chosen?.uri ?? '');
        }}
      />
    );
  if (attribute.type === 'coded' || attribute.type === 'boolean') {
    const choices: [string, string][] =
      attribute.type === 'boolean'
        ? [
            ['true', texts('yes')],
            ['false', texts('no')],
          ]
        : attribute.codes.map((code) => [
            String(code),
            codeLabel(resource, attribute.name, code, texts),
          ]);
    return (
      <TextField
        select
        label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {choices.map(([code, text]) => (
          <MenuItem key={code} value={code}>
            {text}
          </MenuItem>
        ))}
      </TextField>
    );
  }
  if (attribute.type === 'timestamp')
    return (
      <TextField
        type="datetime-local"
        label={label}
        slotProps={{ inputLabel: { shrink: true } }}
        onChange={({ target }) =>
          onChange(target.value === '' ? '' : new Date(target.value).toISOString())
        }
      />
    );
  return (
    <TextField
      label={label}
      type={attribute.type === 'number' ? 'number' : 'text'}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
