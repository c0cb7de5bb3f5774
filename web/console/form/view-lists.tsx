import type { ReactNode } from 'react';
import { Autocomplete, Chip, TextField } from '@mui/material';
import { useInput } from 'react-admin';
import type { FieldError } from 'react-hook-form';
import { descriptionOf } from '../api/description.js';
import { attributeLabel } from '../components/value.js';
import { useTexts } from '../translations/i18n.js';

interface ListInput {
  label: string;
  /** The text of an error. */
  faultIn: (error: FieldError | undefined) => ReactNode;
}

/** The columns of a view: attributes that lists of tasks contain. */
export function ColumnsInput(input: ListInput) {
  const texts = useTexts();
  const options = descriptionOf('tasks')
    .attributes.filter(({ isListed }) => isListed)
    .map(({ name }) => name);
  return (
    <ChosenInput<string[]>
      {...input}
      source="columns"
      helper={texts('help.columns')}
      options={() => options}
      labelOf={(name) => attributeLabel(name, texts)}
      read={(columns) => columns ?? []}
      write={(columns) => columns}
    />
  );
}

const attributeOf = (key: string): string => key.replace(/^-/, '');

/** The order of a view: sort keys of tasks, each ascending or descending (docs/api-contract.md#sorter). */
export function SorterInput(input: ListInput) {
  const texts = useTexts();
  const keys = descriptionOf('tasks')
    .attributes.filter(({ sortable }) => sortable)
    .flatMap(({ name }) => [name, `-${name}`]);
  return (
    <ChosenInput<string>
      {...input}
      source="sorter"
      helper={texts('help.sorter')}
      options={(chosen) => {
        const names = chosen.map(attributeOf);
        return keys.filter((key) => chosen.includes(key) || !names.includes(attributeOf(key)));
      }}
      labelOf={(key) =>
        texts(key.startsWith('-') ? 'sorter.desc' : 'sorter.asc', {
          name: attributeLabel(attributeOf(key), texts),
        })
      }
      read={(sorter) => (sorter ? sorter.split(',') : [])}
      write={(chosen) => (chosen.length > 0 ? chosen.join(',') : null)}
    />
  );
}

/** Chooses several names in an order. */
function ChosenInput<Value>({
  source,
  label,
  helper,
  faultIn,
  options,
  labelOf,
  read,
  write,
}: ListInput & {
  source: string;
  helper: string;
  /** What can be chosen or is chosen already. */
  options: (chosen: string[]) => string[];
  labelOf: (name: string) => string;
  read: (value: Value | null | undefined) => string[];
  write: (chosen: string[]) => Value | null;
}) {
  const texts = useTexts();
  const keep = (value: unknown) => value;
  const { field, fieldState } = useInput({ source, parse: keep, format: keep });
  const chosen = read(field.value as Value | null | undefined);
  return (
    <Autocomplete<string, true>
      multiple
      fullWidth
      filterSelectedOptions
      options={options(chosen)}
      value={chosen}
      onChange={(_, next) => (field.onChange as (value: Value | null) => void)(write(next))}
      getOptionLabel={labelOf}
      noOptionsText={texts('picker.none')}
      openText={texts('picker.open')}
      closeText={texts('picker.close')}
      clearText={texts('picker.clear')}
      renderValue={(names, getItemProps) =>
        names.map((name, index) => {
          const { key, ...item } = getItemProps({ index });
          return <Chip key={key} size="small" label={labelOf(name)} {...item} />;
        })
      }
      renderInput={(parameters) => (
        <TextField
          {...parameters}
          name={source}
          label={label}
          error={fieldState.error !== undefined}
          helperText={faultIn(fieldState.error) ?? helper}
          onBlur={field.onBlur}
        />
      )}
    />
  );
}
