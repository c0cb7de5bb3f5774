import { TextField } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { useInput } from 'react-admin';
import type { FieldError } from 'react-hook-form';

const ROWS = 3;

const present = (value: unknown): string =>
  typeof value === 'string' ? value : value ? JSON.stringify(value, undefined, 2) : '';

/** The value of a text; a text that is no JSON stays one, which the server refuses. */
function valueOf(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** An object as JSON. */
export function JsonInput({
  source,
  label,
  faultIn,
}: {
  source: string;
  label: string;
  faultIn: (error: FieldError | undefined) => ReactNode | undefined;
}) {
  const asItIs = (value: unknown) => value;
  const { field, fieldState } = useInput({ source, parse: asItIs, format: asItIs });
  const { error } = fieldState;
  // Not the text of the value, which would move the cursor at each letter.
  const [typed, setTyped] = useState<{ text: string; value: unknown }>();
  return (
    <TextField
      multiline
      fullWidth
      minRows={ROWS}
      name={source}
      label={label}
      error={error !== undefined}
      helperText={faultIn(error)}
      value={typed && typed.value === field.value ? typed.text : present(field.value)}
      onBlur={field.onBlur}
      onChange={({ target: { value: text } }) => {
        const value = valueOf(text);
        setTyped({ text, value });
        field.onChange(value);
      }}
    />
  );
}
