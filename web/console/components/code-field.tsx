import { TextField } from '@mui/material';
import { useTexts } from '../translations/i18n.js';

/** The code of a second step: of an authenticator app, or a recovery code. It takes the focus when it appears. */
export function CodeField() {
  const texts = useTexts();
  return (
    <TextField
      name="code"
      label={texts('second-step.code')}
      helperText={texts('second-step.code.help')}
      autoComplete="one-time-code"
      autoFocus
      fullWidth
    />
  );
}
