import { type SyntheticEvent, useState } from 'react';
import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  MenuItem,
  Stack,
  TextField,
  Typography,
} from '@mui/material';
import { KeyRound } from 'lucide-react';
import { ApiProblem, send } from '../../api-client/api.js';
import { useAction } from '../api/use-api.js';
import { explain, faultOf } from '../components/problems.js';
import { useTexts } from '../translations/i18n.js';

/** The parts of each way to sign in at an engine. */
const PARTS = {
  none: [],
  basic: ['user', 'secret'],
  bearer: ['secret'],
  oauth: ['user', 'secret', 'tokenUrl', 'scope', 'audience'],
} as const;

type Scheme = keyof typeof PARTS;

/** The button and the dialog that set how an endpoint signs in at its engine. */
export function Credentials({ path }: { path: string }) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        color="inherit"
        size="small"
        startIcon={<KeyRound size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {texts('credentials.set')}
      </Button>
      {isOpen && <CredentialsForm path={path} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Each error of the server is shown at its field. */
function CredentialsForm({ path, onClose }: { path: string; onClose: () => void }) {
  const texts = useTexts();
  const act = useAction();
  const [scheme, setScheme] = useState<Scheme>('basic');
  const [problem, setProblem] = useState<ApiProblem>();
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const parts = PARTS[scheme].map((name): [string, unknown] => [name, form.get(name) || null]);
    const body = Object.fromEntries<unknown>([['scheme', scheme], ...parts]);
    const explains = (error: unknown): boolean => {
      if (error instanceof ApiProblem) setProblem(error);
      return error instanceof ApiProblem;
    };
    setProblem(undefined);
    void act(() => send(path, { method: 'PUT', body }), texts('credentials.stored'), explains).then(
      (isStored) => isStored && onClose(),
    );
  };
  const field = (name: string) => {
    const fault = faultOf(problem, name, texts);
    return { name, error: fault !== undefined, helperText: fault, fullWidth: true };
  };
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="credentials">
      <form onSubmit={submit} noValidate>
        <DialogTitle id="credentials">{texts('credentials.title')}</DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 2 }}>{texts('credentials.lead')}</DialogContentText>
          <Stack spacing={2.5}>
            {problem && problem.fields.length === 0 && (
              <Typography color="error">{explain(problem, texts)}</Typography>
            )}
            <TextField
              select
              label={texts('credentials.scheme')}
              value={scheme}
              onChange={({ target }) => setScheme(target.value as Scheme)}
            >
              {(Object.keys(PARTS) as Scheme[]).map((one) => (
                <MenuItem key={one} value={one}>
                  {texts(`credentials.scheme.${one}`)}
                </MenuItem>
              ))}
            </TextField>
            {PARTS[scheme].map((name) => (
              <TextField
                key={name}
                {...field(name)}
                label={texts(`credentials.${name}`)}
                type={name === 'secret' ? 'password' : 'text'}
                autoComplete="off"
              />
            ))}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts('cancel')}</Button>
          <Button type="submit" variant="contained">
            {texts('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
