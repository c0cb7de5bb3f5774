import { Alert } from '@mui/material';
import { useNotify } from 'react-admin';
import { useTexts } from '../translations/i18n.js';
import { explainAny } from './problems.js';

/** How long an error is shown, in milliseconds. */
const SHOWN_FOR = 10_000;

/** Shows at the window's edge why an action failed. */
export function useNotifyError(): (error: unknown) => void {
  const texts = useTexts();
  const notify = useNotify();
  return (error) =>
    notify(
      <Alert severity="error" variant="filled">
        {explainAny(error, texts)}
      </Alert>,
      { type: 'error', autoHideDuration: SHOWN_FOR },
    );
}
