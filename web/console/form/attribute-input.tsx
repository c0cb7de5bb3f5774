import { type ComponentProps, createContext, type ReactNode, useContext } from 'react';
import { Box, FormHelperText, type FormHelperTextProps } from '@mui/material';
import {
  BooleanInput,
  DateTimeInput,
  NumberInput,
  SelectInput,
  TextInput,
  useInput,
  useRecordContext,
  useWrappedSource,
  type Validator,
} from 'react-admin';
import { type FieldError, get as getIn, useFormState } from 'react-hook-form';
import { isPhoneNumber } from '../../account/phone-number.js';
import type { Ref } from '../../api-client/types.js';
import { TILE_ICONS } from '../../theme/tile-icons.js';
import type { Item } from '../api/data-provider.js';
import { type Attribute, type Code, isLong } from '../api/description.js';
import { type Texts, useTexts } from '../translations/i18n.js';
import { refused } from '../components/problems.js';
import { RefPicker } from '../components/ref-picker.js';
import { PermissionsInput } from '../roles/permissions-input.js';
import { FiltersInput } from './filters-input.js';
import { TranslationsInput } from './translations-input.js';
import { JsonInput } from './json-input.js';
import { TextsInput } from './texts-input.js';
import { ColumnsInput, SorterInput } from './view-lists.js';
import { targetsOf } from '../resources.js';
import { TILE_COLORS } from '../theme/tile-colors.js';
import { attributeLabel, codeLabel } from '../components/value.js';

/**
 * Checks a value while the person types, by the rules of `/attributes`; the server decides.
 * @param stored the value of the record, because a telephone number of another system may be invalid
 */
export function rulesFor(attribute: Attribute, texts: Texts, stored?: unknown): Validator[] {
  const { required, maxLength } = attribute;
  return [
    (value: unknown) =>
      required && (value === null || value === undefined || value === '')
        ? texts('invalid.required')
        : undefined,
    (value: unknown) =>
      maxLength !== null && typeof value === 'string' && [...value].length > maxLength
        ? texts('invalid.long', { max: maxLength })
        : undefined,
    (value: unknown) =>
      /phoneNumber$/i.test(attribute.name) &&
      typeof value === 'string' &&
      value !== stored &&
      !isBlankOrPhone(value)
        ? texts('invalid.phone')
        : undefined,
  ];
}

const isBlankOrPhone = (text: string): boolean => text.trim() === '' || isPhoneNumber(text);

/** The value of a datetime-local field is local time. */
const toTimestamp = (text: string): string | null =>
  text === '' ? null : new Date(text).toISOString();

const TEXT_ROWS = 3;

/** The error of a field: the page's own, or the server's. */
const faultIn = (error: FieldError | undefined, texts: Texts): ReactNode | undefined =>
  error?.type === 'server' ? refused(error.message ?? '[]', texts) : error?.message;

const FieldName = createContext('');

/** The text below a field. React-admin itself would show the server's message as a text of the page. */
function FieldText({ children, ...rest }: FormHelperTextProps) {
  const texts = useTexts();
  const name = useWrappedSource(useContext(FieldName));
  const error: FieldError | undefined = getIn(useFormState({ name }).errors, name);
  const isServers = error?.type === 'server';
  return <FormHelperText {...rest}>{isServers ? faultIn(error, texts) : children}</FormHelperText>;
}

const SLOTS = { formHelperText: FieldText };

/** The input of an attribute, chosen by its type. */
export function AttributeInput(input: { resource: string; attribute: Attribute }): ReactNode {
  return (
    <FieldName value={input.attribute.name}>
      <InputOf {...input} />
    </FieldName>
  );
}

function InputOf({ resource, attribute }: { resource: string; attribute: Attribute }) {
  const texts = useTexts();
  const { name, type } = attribute;
  const label = attributeLabel(name, texts);
  const record = useRecordContext<Item>();
  const common = {
    source: name,
    label,
    validate: rulesFor(attribute, texts, record?.[name]),
    isRequired: attribute.required,
    helperText: helperFor(resource, name, texts),
    fullWidth: true,
  };
  switch (type) {
    case 'number':
      return <NumberInput {...common} slots={SLOTS} step={1} />;
    case 'timestamp':
      return <DateTimeInput {...common} slots={SLOTS} parse={toTimestamp} />;
    case 'boolean':
      return <BooleanInput {...common} helperText={common.helperText} />;
    case 'coded':
      return <CodeInput resource={resource} attribute={attribute} common={common} />;
    case 'link':
    case 'links':
      return <LinkInput attribute={attribute} label={label} helper={common.helperText} />;
    case 'texts':
    case 'object':
      return <ObjectInput attribute={attribute} label={label} />;
    default:
      if (resource === 'views' && name === 'sorter')
        return <SorterInput label={label} faultIn={(error) => faultIn(error, texts)} />;
      return (
        <TextInput
          {...common}
          slots={SLOTS}
          multiline={isLong(attribute)}
          minRows={isLong(attribute) ? TEXT_ROWS : undefined}
        />
      );
  }
}

/** Translations, the filters or columns of a view, another object, or another list of texts. */
function ObjectInput({ attribute, label }: { attribute: Attribute; label: string }) {
  const texts = useTexts();
  if (attribute.translates.length > 0) return <TranslationsInput attribute={attribute} />;
  const input = {
    label,
    faultIn: (error: FieldError | undefined) => faultIn(error, texts),
  };
  if (attribute.name === 'filters') return <FiltersInput {...input} />;
  if (attribute.name === 'permissions') return <PermissionsInput {...input} />;
  if (attribute.name === 'columns') return <ColumnsInput {...input} />;
  if (attribute.type === 'object') return <JsonInput {...input} source={attribute.name} />;
  return <TextsInput {...input} attribute={attribute} />;
}

function helperFor(resource: string, name: string, texts: Texts): string | false {
  if (name === 'reference') return texts('help.reference');
  if (name === 'audience') return texts('help.audience');
  if (name === 'view') return texts('help.view');
  if (resource === 'users' && name === 'title') return texts('help.title');
  return false;
}

type Common = Omit<ComponentProps<typeof SelectInput>, 'choices'>;

interface Choice {
  id: Code;
  name: string;
}

/** A coded value, with samples of colours and icons. */
function CodeInput({
  resource,
  attribute,
  common,
}: {
  resource: string;
  attribute: Attribute;
  common: Common;
}) {
  const texts = useTexts();
  const choices: Choice[] = attribute.codes.map((code) => ({
    id: code,
    name: codeLabel(resource, attribute.name, code, texts),
  }));
  const show = ({ id, name }: Choice) => (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
      <Sample attribute={attribute.name} code={String(id)} />
      {name}
    </Box>
  );
  const isShown = attribute.name === 'tileColor' || attribute.name === 'icon';
  return (
    <SelectInput
      {...common}
      slots={SLOTS}
      choices={choices}
      translateChoice={false}
      optionText={isShown ? show : 'name'}
      emptyText={attribute.required ? undefined : texts('none')}
      resettable={false}
    />
  );
}

function Sample({ attribute, code }: { attribute: string; code: string }) {
  const Icon = attribute === 'icon' ? TILE_ICONS[code] : undefined;
  if (Icon) return <Icon size={16} aria-hidden />;
  if (attribute !== 'tileColor') return null;
  const bgcolor = TILE_COLORS[code];
  return <Box component="span" sx={{ width: 14, height: 14, borderRadius: '4px', bgcolor }} />;
}

interface OwnInput {
  attribute: Attribute;
  label: string;
  helper: string | false;
}

/** A link as a Ref, or several of them. */
function LinkInput({ attribute, label, helper }: OwnInput) {
  const texts = useTexts();
  const { name, type, required } = attribute;
  const { field, fieldState } = useInput({
    source: name,
    validate: rulesFor(attribute, texts),
    // A blank stays null; react-admin's default would make it a text.
    parse: (value: unknown) => value,
    format: (value: unknown) => value,
  });
  const { error } = fieldState;
  const record = useRecordContext<Item>();
  // The choices are the application's own views.
  const isView = name === 'view';
  const common = {
    targets:
      name === 'serviceAccount'
        ? [...targetsOf(name), 'service-accounts' as const]
        : targetsOf(name),
    within: isView && record ? `application:eq:${record.id}` : undefined,
    label,
    name,
    required,
    error: error !== undefined,
    helper: faultIn(error, texts) ?? (helper || undefined),
    onBlur: field.onBlur,
  };
  const onChange = field.onChange as (value: Ref | Ref[] | null) => void;
  return type === 'links' ? (
    <RefPicker {...common} isMany value={(field.value as Ref[] | null) ?? []} onChange={onChange} />
  ) : (
    <RefPicker {...common} value={(field.value as Ref | null) || null} onChange={onChange} />
  );
}
