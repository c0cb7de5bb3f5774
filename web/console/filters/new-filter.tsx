import { type SyntheticEvent, useState } from 'react';
import { Button, MenuItem, Stack, TextField } from '@mui/material';
import { useResourceContext } from 'react-admin';
import type { Ref } from '../../api-client/types.js';
import { type Attribute, descriptionOf } from '../api/description.js';
import { RefPicker } from '../components/ref-picker.js';
import { attributeLabel, codeLabel } from '../components/value.js';
import { targetsOf } from '../resources.js';
import { useTexts } from '../translations/i18n.js';
import { type Filter, PERSONAL, takesNoValue } from './filter.js';
import { operatorLabel, personalLabel } from './filter-label.js';

/** Marks the choices of an operator that compare with the viewer. */
const PERSONAL_PREFIX = 'personal:';

/**
 * Attribute, operator and value, with the choices from `/attributes`.
 * @param isForView offers comparisons with the viewer
 */
export function NewFilter({
  isForView = false,
  onAdd,
}: {
  isForView?: boolean;
  onAdd: (filter: Filter) => void;
}) {
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
  const chooseOperator = (next: string) => {
    setOperator(next);
    // A list of values has another form than a single value.
    if ((operator === 'in') !== (next === 'in')) setValue('');
  };
  const isPersonal = operator.startsWith(PERSONAL_PREFIX);
  const needsValue = !isPersonal && !takesNoValue(operator);
  const isReady = attribute !== undefined && (!needsValue || value !== '');
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    // React passes the event on to the form around the popover, which must not be submitted.
    event.stopPropagation();
    if (!isReady) return;
    if (isPersonal)
      onAdd({
        attribute: name,
        operator: operator.slice(PERSONAL_PREFIX.length),
        value: PERSONAL[name]!,
      });
    else onAdd({ attribute: name, operator, value: needsValue ? value : '' });
  };
  return (
    <Stack component="form" spacing={2} sx={{ p: 2, width: 'min(22rem, 90vw)' }} onSubmit={submit}>
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
          onChange={(event) => chooseOperator(event.target.value)}
        >
          {isForView &&
            PERSONAL[name] !== undefined &&
            ['eq', 'neq'].map((one) => (
              <MenuItem key={one} value={PERSONAL_PREFIX + one}>
                {personalLabel(name, one, texts)}
              </MenuItem>
            ))}
          {attribute.operators.map((one) => (
            <MenuItem key={one} value={one}>
              {operatorLabel(attribute, one, texts)}
            </MenuItem>
          ))}
        </TextField>
      )}
      {attribute && needsValue && (
        <FilterValue
          key={`${name} ${operator === 'in'}`}
          {...{ attribute, operator, value }}
          onChange={setValue}
        />
      )}
      <Button type="submit" variant="contained" disabled={!isReady}>
        {texts('filter.apply')}
      </Button>
    </Stack>
  );
}

/** The value of a filter in the form of the API. */
function FilterValue({
  attribute,
  operator,
  value,
  onChange,
}: {
  attribute: Attribute;
  operator: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const texts = useTexts();
  const resource = useResourceContext()!;
  const [ref, setRef] = useState<Ref | null>(null);
  const label = texts('filter.value');
  if (operator === 'in')
    return (
      <TextField
        label={label}
        helperText={texts('filter.values')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    );
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
