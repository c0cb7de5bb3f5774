import { useState } from 'react';
import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  TextField,
} from '@mui/material';
import { Eraser } from 'lucide-react';
import { useNotify } from 'react-admin';
import { send } from '../../api-client/api.js';
import type { Item } from '../api/data-provider.js';
import { useAction } from '../api/use-api.js';
import { useExplainWarning } from '../form/use-notify-stored.js';
import { Section } from '../layout/page.js';
import { useAppContext } from '../session/app-context.js';
import { useTexts } from '../translations/i18n.js';
import { ResponsibilitiesOf } from './responsibilities.js';

/** What waits for a user, with a handover, and the erasure of the user. */
export function LeaverSection({ user }: { user: Item }) {
  const texts = useTexts();
  const { rights, session } = useAppContext();
  const isOwn = user.id === session.user.id;
  const mayErase = rights.permitsSomewhere('users:delete') && !isOwn;
  if (!isOwn && !rights.permitsSomewhere('users:read')) return null;
  return (
    <Section
      title={texts('leaving')}
      lead={texts('leaving.lead')}
      actions={mayErase && <EraseButton user={user} />}
    >
      <ResponsibilitiesOf userId={user.id} />
    </Section>
  );
}

/** Erases what is personal about a user, once the login of the user is typed (docs/api-contract.md#erasure). */
function EraseButton({ user }: { user: Item }) {
  const texts = useTexts();
  const act = useAction();
  const notify = useNotify();
  const explain = useExplainWarning();
  const [isOpen, setOpen] = useState(false);
  const [login, setLogin] = useState('');
  const close = () => {
    setOpen(false);
    setLogin('');
  };
  const erase = async () => {
    const isDone = await act(async () => {
      const path = `/api/v2/directory/users/${user.id}/erasure`;
      const answer = await send(path, { method: 'POST', body: { login } });
      const warning = answer.headers.get('X-Warning');
      if (warning !== null) notify(explain(warning, user), { type: 'warning' });
      else notify(texts('erase.done'), { type: 'success' });
    });
    if (isDone) close();
  };
  return (
    <>
      <Button
        color="error"
        startIcon={<Eraser size={17} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {texts('erase')}
      </Button>
      <Dialog open={isOpen} onClose={close} fullWidth maxWidth="sm" aria-labelledby="erase">
        <DialogTitle id="erase">{texts('erase.title', { name: String(user.label) })}</DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 2 }}>{texts('erase.text')}</DialogContentText>
          <ResponsibilitiesOf userId={user.id} />
          <TextField
            fullWidth
            label={texts('erase.login', { login: String(user.login) })}
            value={login}
            onChange={(event) => setLogin(event.target.value)}
            autoComplete="off"
            sx={{ mt: 2 }}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={close}>{texts('cancel')}</Button>
          <Button
            color="error"
            variant="contained"
            disabled={login !== user.login}
            onClick={() => void erase()}
          >
            {texts('erase')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
