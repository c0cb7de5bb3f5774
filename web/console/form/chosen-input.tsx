import type { ReactNode } from 'react';
import { Autocomplete, Box, Chip, createFilterOptions, TextField } from '@mui/material';
import { useInput } from 'react-admin';
import type { FieldError } from 'react-hook-form';
import { useTexts } from '../translations/i18n.js';

export interface ListInput {
  label: string;
  /** The text of an error. */
  faultIn: (error: FieldError | undefined) => ReactNode;
}

/** The choices that the page draws at once. */
const MOST_OFFERED = 200;

/** Chooses and orders several names. */
export function ChosenInput<Value>({
  source,
  label,
  helper,
  faultIn,
  options,
  isFree = false,
  labelOf,
  describe,
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
  /** What a name means, beside the name in the choices; they are searched by it too. */
  describe?: (name: string) => string;
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
      filterOptions={createFilterOptions({
        limit: MOST_OFFERED,
        stringify: (name) => `${labelOf(name)} ${describe?.(name) ?? ''}`,
      })}
      renderOption={
        describe &&
        (({ key, ...item }, name) => (
          <Box component="li" key={key} {...item} sx={{ gap: 1, flexWrap: 'wrap' }}>
            <span>{labelOf(name)}</span>
            <Box component="span" sx={{ color: 'text.secondary', fontSize: '0.8rem' }}>
              {describe(name)}
            </Box>
          </Box>
        ))
      }
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
