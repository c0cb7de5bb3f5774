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
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { type NewApiKey, useApiKeys } from '../../account/use-api-keys.js';
import { ApiProblem, query } from '../../api-client/api.js';
import type { ApiKey } from '../../api-client/types.js';
import { useTexts } from '../translations/i18n.js';
import { Pending, Section } from '../layout/page.js';
import { explain, faultOf } from '../components/problems.js';
import { IconAction, Row, Rows } from '../components/rows.js';
import { useAction, useApiPage } from '../api/use-api.js';
import { useDates } from '../components/value.js';
import { OneTimeSecret } from './one-time-secret.js';

/** The API keys of a user, and the dialogs that create one and show its secret once. */
export function ApiKeys({ userId }: { userId: string }) {
  const texts = useTexts();
  const act = useAction();
  const showDate = useDates();
  const [isOpen, setOpen] = useState(false);
  const { path, secret, hideSecret, create, remove } = useApiKeys(userId, act);
  const { data, error, refetch } = useApiPage<ApiKey>(
    `${path}${query({ range: '0-100', sorter: 'name' })}`,
  );
  return (
    <Section
      title={texts('keys')}
      lead={texts('keys.lead')}
      actions={
        <Button startIcon={<Plus size={17} aria-hidden />} onClick={() => setOpen(true)}>
          {texts('keys.create')}
        </Button>
      }
    >
      {data?.total === 0 && <Typography color="textSecondary">{texts('keys.none')}</Typography>}
      {data ? (
        <Rows>
          {data.items.map((one) => (
            <Row
              key={one.id}
              action={
                <IconAction
                  icon={Trash2}
                  label={texts('keys.delete', { name: one.name })}
                  onClick={() => void remove(one.id, texts('keys.deleted'))}
                />
              }
            >
              {one.name} <code>{one.prefix}…</code>
              <Typography variant="body2" color="textSecondary">
                {[
                  texts('keys.created', { date: showDate(one.creationDate) }),
                  one.expiration === null
                    ? texts('keys.endless')
                    : texts('keys.until', { date: showDate(one.expiration) }),
                  one.lastUseDate === null
                    ? texts('keys.unused')
                    : texts('keys.used', { date: showDate(one.lastUseDate) }),
                ].join(' · ')}
              </Typography>
            </Row>
          ))}
        </Rows>
      ) : (
        <Pending error={error} onRetry={() => void refetch()} />
      )}
      <NewKey
        // The secret takes the place of the form.
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
    </Section>
  );
}

/** Name, end and addresses of a key; each error of the server stands at its field. */
function NewKey({
  isOpen,
  onClose,
  onCreate,
}: {
  isOpen: boolean;
  onClose: () => void;
  onCreate: (key: NewApiKey, explains: (error: unknown) => boolean) => Promise<boolean>;
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
