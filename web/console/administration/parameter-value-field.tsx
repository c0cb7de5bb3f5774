import type { ReactNode } from 'react';
import {
  Box,
  Button,
  FormControlLabel,
  FormHelperText,
  Stack,
  Switch,
  TextField,
} from '@mui/material';
import { PicturePreview } from '../components/picture-preview.js';
import { useTexts } from '../translations/i18n.js';
import type { Parameter } from './parameter.js';

/** The initial colour of the browser's colour picker. */
const FIRST_COLOR = '#3350c4';

interface ValueProps {
  parameter: Parameter;
  value: Parameter['value'];
  fault: ReactNode;
  onChange: (value: Parameter['value']) => void;
}

/** The value of a parameter: a switch, a picture, a colour, a number, or a text. */
export function ParameterValueField(props: ValueProps) {
  const texts = useTexts();
  const { parameter, value, onChange } = props;
  if (parameter.type === 'boolean')
    return (
      <FormControlLabel
        control={<Switch checked={value === true} onChange={(_, checked) => onChange(checked)} />}
        label={texts(value === true ? 'yes' : 'no')}
      />
    );
  if (parameter.type === 'picture') return <PictureField {...props} />;
  if (parameter.type !== 'color') return <PlainField {...props} />;
  return (
    <Stack direction="row" spacing={1} sx={{ alignItems: 'flex-start' }}>
      <TextField
        type="color"
        label={texts('parameters.color')}
        value={value || FIRST_COLOR}
        onChange={(event) => onChange(event.target.value)}
        sx={{ width: 110 }}
      />
      <PlainField {...props} />
    </Stack>
  );
}

function PlainField({ parameter: { type, defaultValue }, value, fault, onChange }: ValueProps) {
  const texts = useTexts();
  return (
    <TextField
      fullWidth
      autoFocus
      label={texts('parameters.value')}
      type={type === 'integer' ? 'number' : 'text'}
      multiline={type === 'addresses' || type === 'destinations'}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={fault !== undefined}
      helperText={fault ?? texts('parameters.default', { value: String(defaultValue) || '–' })}
    />
  );
}

function PictureField({ value, fault, onChange }: ValueProps) {
  const texts = useTexts();
  const read = async (file: File | undefined) => file && onChange(await dataUrlOf(file));
  return (
    <Stack spacing={1.5} sx={{ alignItems: 'flex-start' }}>
      {value !== '' && <PicturePreview url={String(value)} />}
      <Stack direction="row" spacing={1}>
        <Button component="label" variant="outlined">
          {texts('photo.choose')}
          <Box
            component="input"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            aria-label={texts('photo.choose')}
            onChange={({ target }) => void read(target.files?.[0])}
            sx={{ position: 'absolute', inset: 0, opacity: 0 }}
          />
        </Button>
        {value !== '' && <Button onClick={() => onChange('')}>{texts('parameters.clear')}</Button>}
      </Stack>
      {fault !== undefined && <FormHelperText error>{fault}</FormHelperText>}
    </Stack>
  );
}

/** A file as a data URL. */
const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'));
    reader.readAsDataURL(file);
  });
