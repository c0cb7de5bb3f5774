import { type HTMLAttributes, type ReactNode, useState } from 'react';
import {
  Autocomplete,
  type AutocompleteRenderInputParams,
  type AutocompleteRenderValueGetItemProps,
  Box,
  Chip,
  CircularProgress,
  TextField,
} from '@mui/material';
import { useTranslate } from 'react-admin';
import type { Ref } from '../../api-client/types.js';
import { useTexts } from '../translations/i18n.js';
import { explainAny } from './problems.js';
import { resourceOf, type ResourceName } from '../resources.js';
import { useRefOptions } from './use-ref-options.js';

/** An id has no meaning to people; references tell namesakes apart. */
const hint = ({ reference, label }: Ref): string => (reference === label ? '' : reference);

const kindOf = ({ uri }: Ref): ResourceName => uri.split('/')[2] as ResourceName;

/** The properties of a chip among several. */
type ItemProps = ReturnType<AutocompleteRenderValueGetItemProps<true>>;

/** A chosen record, where several can be chosen. */
function RefChip({ option, item }: { option: Ref; item: Omit<ItemProps, 'key'> }) {
  const Icon = resourceOf(kindOf(option)).icon;
  return <Chip size="small" icon={<Icon size={14} aria-hidden />} label={option.label} {...item} />;
}

/** A record that can be chosen. */
function RefOption({ option, item }: { option: Ref; item: HTMLAttributes<HTMLLIElement> }) {
  return (
    <Box component="li" {...item} sx={{ gap: 1, alignItems: 'baseline' }}>
      <span>{option.label}</span>
      <Box component="span" sx={{ color: 'text.secondary', fontSize: '0.8rem' }}>
        {hint(option)}
      </Box>
    </Box>
  );
}

type InputSlot = AutocompleteRenderInputParams['slotProps']['input'];

/** The input of the picker, with a sign that a search is under way. */
const withProgress = (input: InputSlot, isBusy: boolean) => ({
  ...input,
  endAdornment: (
    <>
      {isBusy && <CircularProgress size={16} aria-hidden />}
      {input.endAdornment}
    </>
  ),
});

interface Common {
  targets: ResourceName[];
  /** A filter on the offered records. */
  within?: string;
  label: string;
  helper?: ReactNode;
  error?: boolean;
  required?: boolean;
  disabled?: boolean;
  autoFocus?: boolean;
  onBlur?: () => void;
  /** Name of the field, for tests and autofill. */
  name?: string;
}

type Props = Common &
  (
    | { isMany: true; value: Ref[]; onChange: (value: Ref[]) => void }
    | { isMany?: false; value: Ref | null; onChange: (value: Ref | null) => void }
  );

/** Chooses one or several records by typing a part of their names; of several kinds by heading. */
export function RefPicker(props: Props) {
  const { targets, within, label, helper, error, required, disabled, autoFocus, onBlur, name } =
    props;
  const texts = useTexts();
  const translate = useTranslate();
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const { options, isBusy, problem } = useRefOptions(targets, { isOpen, text, within });

  return (
    <Autocomplete<Ref, boolean>
      multiple={props.isMany === true}
      fullWidth
      disabled={disabled}
      open={isOpen}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      options={options}
      loading={isBusy}
      // The server has already filtered, without case and accents.
      filterOptions={(all) => all}
      filterSelectedOptions={props.isMany === true}
      value={props.value}
      onChange={(_, chosen) => {
        if (props.isMany) props.onChange(chosen as unknown as Ref[]);
        else props.onChange(chosen as Ref | null);
      }}
      onInputChange={(_, next, reason) => setText(reason === 'input' ? next : '')}
      getOptionLabel={(option) => option.label}
      getOptionKey={(option) => option.uri}
      isOptionEqualToValue={(option, value) => option.uri === value.uri}
      groupBy={
        targets.length > 1
          ? (option) => translate(`resources.${kindOf(option)}.name`, { smart_count: 2 })
          : undefined
      }
      noOptionsText={problem === undefined ? texts('picker.none') : explainAny(problem, texts)}
      loadingText={texts('loading')}
      openText={texts('picker.open')}
      closeText={texts('picker.close')}
      clearText={texts('picker.clear')}
      renderValue={
        props.isMany
          ? (chosen, getItemProps) =>
              (chosen as unknown as Ref[]).map((option, index) => {
                const { key, ...item } = getItemProps({ index }) as ItemProps;
                return <RefChip key={key} option={option} item={item} />;
              })
          : undefined
      }
      renderOption={({ key, ...item }, option) => (
        <RefOption key={key} option={option} item={item} />
      )}
      renderInput={(parameters) => (
        <TextField
          {...parameters}
          name={name}
          label={label}
          required={required}
          error={error}
          helperText={helper}
          autoFocus={autoFocus}
          onBlur={onBlur}
          slotProps={{
            ...parameters.slotProps,
            input: withProgress(parameters.slotProps.input, isBusy && isOpen),
          }}
        />
      )}
    />
  );
}
