import type { ReactNode } from 'react';
import { Autocomplete, Chip, TextField } from '@mui/material';
import { useInput } from 'react-admin';
import type { FieldError } from 'react-hook-form';
import { useTexts } from '../translations/i18n.js';

export interface ListInput {
  label: string;
  /** The text of an error. */
  faultIn: (error: FieldError | undefined) => ReactNode;
}

/** Chooses and orders several names. */
export function ChosenInput<Value>({
  source,
  label,
  helper,
  faultIn,
  options,
  isFree = false,
  labelOf,
  read,
  write,
}: ListInput & {
  source: string;
  helper: string;
  /** The choices, including the chosen ones. */
  options: (chosen: string[]) => string[];
  /** Other names can be typed. */
  isFree?: boolean;
  labelOf: (name: string) => string;
  read: (value: Value | null | undefined) => string[];
  write: (chosen: string[]) => Value | null;
}) {
  const texts = useTexts();
  const keep = (value: unknown) => value;
  const { field, fieldState } = useInput({ source, parse: keep, format: keep });
  const chosen = read(field.value as Value | null | undefined);
  return (
    <Autocomplete<string, true, false, boolean>
      multiple
      fullWidth
      freeSolo={isFree}
      autoSelect={isFree}
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
