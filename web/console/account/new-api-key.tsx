import { type SyntheticEvent, useState } from 'react';
import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Stack,
  TextField,
  Typography,
} from '@mui/material';
import { KeyRound, Plus } from 'lucide-react';
import type { NewApiKeyProps } from '../../account/use-api-keys.js';
import { ApiProblem } from '../../api-client/api.js';
import { useTexts } from '../translations/i18n.js';
import { explain, faultOf } from '../components/problems.js';
import { OneTimeSecret } from './one-time-secret.js';

/** The button and the dialogs that create a key and show its secret once. */
export function NewApiKey({ create, secret, hideSecret }: NewApiKeyProps) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button startIcon={<Plus size={17} aria-hidden />} onClick={() => setOpen(true)}>
        {texts('keys.create')}
      </Button>
      <KeyForm
        // The secret replaces the form.
        isOpen={isOpen && secret === undefined}
        onClose={() => setOpen(false)}
        onCreate={create}
      />
      <OneTimeSecret
        icon={KeyRound}
        title={texts('keys.new')}
        text={texts('keys.once')}
        secret={secret}
        onClose={() => {
          setOpen(false);
          hideSecret();
        }}
      />
    </>
  );
}

/** Name and limits of a key; each error of the server is shown at its field. */
function KeyForm({
  isOpen,
  onClose,
  onCreate,
}: {
  isOpen: boolean;
  onClose: () => void;
  onCreate: NewApiKeyProps['create'];
}) {
  const texts = useTexts();
  const [problem, setProblem] = useState<ApiProblem>();
  const fault = (name: string) => faultOf(problem, name, texts);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => (form.get(name) as string).trim() || null;
    const until = text('expiration');
    setProblem(undefined);
    const key = {
      name: text('name'),
      expiration: until === null ? null : new Date(until).toISOString(),
      addresses: text('addresses'),
      permissions: text('permissions')?.split(/[\s,;]+/) ?? null,
    };
    void onCreate(key, (error) => {
      if (error instanceof ApiProblem) setProblem(error);
      return error instanceof ApiProblem;
    });
  };
  const field = (name: string, label: string, help?: string) => ({
    name,
    label,
    error: fault(name) !== undefined,
    helperText: fault(name) ?? help,
    fullWidth: true,
  });
  return (
    <Dialog open={isOpen} onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="new-key">
      <form onSubmit={submit} noValidate>
        <DialogTitle id="new-key">{texts('keys.create')}</DialogTitle>
        <DialogContent>
          <Stack spacing={2.5} sx={{ pt: 1 }}>
            {problem && problem.fields.length === 0 && (
              <Typography color="error">{explain(problem, texts)}</Typography>
            )}
            <TextField {...field('name', texts('keys.name'))} autoFocus required />
            <TextField
              {...field('expiration', texts('keys.expiration'), texts('keys.expiration.help'))}
              type="datetime-local"
              slotProps={{ inputLabel: { shrink: true } }}
            />
            <TextField
              {...field('addresses', texts('keys.addresses'), texts('keys.addresses.help'))}
            />
            <TextField
              {...field('permissions', texts('keys.permissions'), texts('keys.permissions.help'))}
            />
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts('cancel')}</Button>
          <Button type="submit" variant="contained">
            {texts('create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
