import { type ReactNode, useState } from 'react';
import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
} from '@mui/material';
import { useRecordContext } from 'react-admin';
import type { Item } from '../api/data-provider.js';
import { useTexts } from '../translations/i18n.js';
import { isFree, readResponsibilities, ResponsibilitiesOf } from './responsibilities.js';

/** The statuses of people who have left: inactive and archived. */
const GONE: unknown[] = [0, 3];

/**
 * Asks before a user of a form becomes inactive or archived while something waits for the user.
 * @returns `ask`, which answers whether to save, and the dialog
 */
export function useLeaving(): {
  ask: (values: Record<string, unknown>) => Promise<boolean>;
  dialog: ReactNode;
} {
  const texts = useTexts();
  const user = useRecordContext<Item>();
  const [answer, setAnswer] = useState<{ give: (isSaved: boolean) => void }>();
  const ask = async ({ status }: Record<string, unknown>): Promise<boolean> => {
    if (user?.id === undefined || !GONE.includes(status) || GONE.includes(user.status)) return true;
    // Who may not read the numbers still gets them with the answer, as a warning.
    const numbers = await readResponsibilities(user.id).catch(() => undefined);
    if (!numbers || isFree(numbers)) return true;
    return new Promise((give) => setAnswer({ give }));
  };
  const end = (isSaved: boolean) => {
    answer?.give(isSaved);
    setAnswer(undefined);
  };
  const dialog = user && (
    <Dialog
      open={answer !== undefined}
      onClose={() => end(false)}
      fullWidth
      maxWidth="sm"
      aria-labelledby="leaving"
    >
      <DialogTitle id="leaving">{texts('leaving.title', { name: String(user.label) })}</DialogTitle>
      <DialogContent>
        <DialogContentText>{texts('leaving.text')}</DialogContentText>
        <ResponsibilitiesOf userId={user.id} />
      </DialogContent>
      <DialogActions>
        <Button onClick={() => end(false)}>{texts('cancel')}</Button>
        <Button variant="contained" onClick={() => end(true)}>
          {texts('leaving.save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
  return { ask, dialog };
}
