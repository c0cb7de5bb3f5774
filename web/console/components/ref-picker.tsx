import { type ReactNode, useEffect, useState } from 'react';
import {
  Autocomplete,
  type AutocompleteRenderValueGetItemProps,
  Box,
  Chip,
  CircularProgress,
  TextField,
} from '@mui/material';
import { useTranslate } from 'react-admin';
import type { Ref } from '../../api-client/types.js';
import { getPage, query } from '../../api-client/api.js';
import { useTexts } from '../translations/i18n.js';
import { explainAny } from './problems.js';
import { resourceOf, type ResourceName } from '../api/resources.js';

/** How many of each kind are offered, and how long typing may pause before they are asked for. */
const OFFERED = 15;
const PAUSE_MS = 180;
/** The server compares no longer texts (docs/api-contract.md#filters). */
const MAX_TEXT = 128;

/** An id has no meaning to people; references tell namesakes apart. */
const hint = ({ reference, label }: Ref): string => (reference === label ? '' : reference);

const kindOf = ({ uri }: Ref): ResourceName => uri.split('/')[2] as ResourceName;

/** Records of several resources whose label or reference contains a text. */
async function find(
  targets: ResourceName[],
  text: string,
  within: string | undefined,
  signal: AbortSignal,
): Promise<Ref[]> {
  const wanted = text.trim().slice(0, MAX_TEXT);
  const byText = [`label:contains:${wanted}`, `reference:contains:${wanted}`];
  // A further condition has to hold together with the text, which is then the label's alone.
  const filters = within === undefined ? byText : [byText[0]!, within];
  const search = query({
    range: `0-${OFFERED}`,
    sorter: 'label',
    filters: wanted === '' ? within : filters,
    filterMode: wanted === '' || within !== undefined ? undefined : 'or',
  });
  const pages = await Promise.all(
    targets.map((target) => getPage<Ref>(`${resourceOf(target).path}${search}`, signal)),
  );
  return pages.flatMap(({ items }) =>
    items.map(({ id, uri, reference, label }) => ({ id, uri, reference, label })),
  );
}

/** What a chip of several is given; with one there would be no key. */
type ItemProps = ReturnType<AutocompleteRenderValueGetItemProps<true>>;

interface Common {
  targets: ResourceName[];
  /** A filter that what can be chosen has to pass. */
  within?: string;
  label: string;
  helper?: ReactNode;
  error?: boolean;
  required?: boolean;
  disabled?: boolean;
  autoFocus?: boolean;
  onBlur?: () => void;
  /** Name of the field, for tests and for filling in. */
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
  const [options, setOptions] = useState<Ref[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const kinds = targets.join();
  useEffect(() => {
    if (!isOpen) return;
    const controller = new AbortController();
    const { signal } = controller;
    setBusy(true);
    const timer = setTimeout(() => {
      // When it cannot be asked for, this is said; the next letter tries again.
      const settle = (found: Ref[], error?: unknown) => {
        if (signal.aborted) return;
        setOptions(found);
        setProblem(error);
        setBusy(false);
      };
      find(kinds.split(',') as ResourceName[], text, within, signal).then(
        settle,
        (error: unknown) => settle([], error),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [isOpen, text, kinds, within]);

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
      // The server has chosen already, without case and accents.
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
                const Icon = resourceOf(kindOf(option)).icon;
                return (
                  <Chip
                    key={key}
                    size="small"
                    icon={<Icon size={14} aria-hidden />}
                    label={option.label}
                    {...item}
                  />
                );
              })
          : undefined
      }
      renderOption={({ key, ...item }, option) => (
        <Box component="li" key={key} {...item} sx={{ gap: 1, alignItems: 'baseline' }}>
          <span>{option.label}</span>
          <Box component="span" sx={{ color: 'text.secondary', fontSize: '0.8rem' }}>
            {hint(option)}
          </Box>
        </Box>
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
            input: {
              ...parameters.slotProps?.input,
              endAdornment: (
                <>
                  {isBusy && isOpen && <CircularProgress size={16} aria-hidden />}
                  {parameters.slotProps?.input?.endAdornment}
                </>
              ),
            },
          }}
        />
      )}
    />
  );
}
