import { useEffect, useRef, useState } from 'react';
import { TextField, type TextFieldProps } from '@mui/material';

const PAUSE_MS = 300;

/** A search field that reports its text when typing pauses. */
export function DebouncedField({
  value,
  onTyped,
  ...rest
}: Omit<TextFieldProps, 'value' | 'onChange'> & {
  value: string;
  onTyped: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  // Calls the latest handler, which knows the choices made during the pause.
  const latest = useRef(onTyped);
  useEffect(() => {
    latest.current = onTyped;
  });
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => latest.current(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <TextField
      {...rest}
      type="search"
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
