import { useState } from 'react';
import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { ShieldOff } from 'lucide-react';
import { ApiProblem, get, send } from '../../api-client/api.js';
import type { SecondStepReset } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { useAction } from '../api/use-api.js';
import { useDates } from '../components/value.js';
import { Pending } from '../layout/page.js';
import { useAppContext } from '../session/app-context.js';
import { useTexts } from '../translations/i18n.js';

/** A reset is there for an hour; without one the server answers 404. */
async function openReset(path: string, signal: AbortSignal): Promise<SecondStepReset | null> {
  try {
    return await get<SecondStepReset>(path, signal);
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return null;
    throw error;
  }
}

/** Removes a lost second step: one person asks, and another one confirms (docs/api-contract.md#a-second-step). */
export function SecondStepResetButton({ user }: { user: Item }) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<ShieldOff size={17} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {texts('reset')}
      </Button>
      <Dialog open={isOpen} onClose={close} aria-labelledby="second-step-reset">
        <DialogTitle id="second-step-reset">
          {texts('reset.title', { label: String(user.label) })}
        </DialogTitle>
        {isOpen && <Reset user={user} onClose={close} />}
      </Dialog>
    </>
  );
}

function Reset({ user, onClose }: { user: Item; onClose: () => void }) {
  const texts = useTexts();
  const showDate = useDates();
  const act = useAction();
  const { session } = useAppContext();
  const path = `/api/v2/directory/users/${user.id}/second-step-reset`;
  const { data: reset, error } = useQuery({
    queryKey: ['api', path],
    queryFn: ({ signal }) => openReset(path, signal),
  });
  const ask = () => act(() => send(path, { method: 'POST' }), texts('reset.requested'));
  const end = async (address: string, method: string, said: string) => {
    if (await act(() => send(address, { method }), said)) onClose();
  };
  const isOwn = reset?.requester.id === session.user.id;
  return (
    <>
      <DialogContent>
        {reset === undefined ? (
          <Pending error={error} />
        ) : (
          <>
            {reset && (
              <DialogContentText sx={{ mb: 1.5 }}>
                {texts(isOwn ? 'reset.own' : 'reset.asked', {
                  name: reset.requester.label,
                  date: showDate(reset.creationDate),
                  end: showDate(reset.expiration),
                })}
              </DialogContentText>
            )}
            <DialogContentText>{texts('reset.lead')}</DialogContentText>
          </>
        )}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', rowGap: 1 }}>
        <Button onClick={onClose}>{texts('lasting.close')}</Button>
        {reset === null && (
          <Button variant="contained" onClick={() => void ask()}>
            {texts('reset.ask')}
          </Button>
        )}
        {reset && (
          <Button onClick={() => void end(path, 'DELETE', texts('reset.withdrawn'))}>
            {texts('reset.withdraw')}
          </Button>
        )}
        {reset && !isOwn && (
          <Button
            color="error"
            variant="contained"
            onClick={() => void end(`${path}/confirmation`, 'POST', texts('reset.done'))}
          >
            {texts('reset.confirm', { name: reset.requester.label })}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
