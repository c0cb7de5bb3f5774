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
import { ApiProblem, query, send } from '../../api-client/api.js';
import type { ApiKey } from '../../api-client/types.js';
import { useTexts } from '../translations/i18n.js';
import { Pending, Section } from '../layout/page.js';
import { explain, faultOf } from '../components/problems.js';
import { IconAction, Row, Rows } from '../components/rows.js';
import { useAction, useApiPage } from '../api/use-api.js';
import { useDates } from '../components/value.js';
import { OneTimeSecret } from './one-time-secret.js';

/** The API keys of a user: made, shown once, looked after, deleted. */
export function ApiKeys({ userId }: { userId: string }) {
  const texts = useTexts();
  const act = useAction();
  const showDate = useDates();
  const [isOpen, setOpen] = useState(false);
  const [key, setKey] = useState<string>();
  const path = `/api/v2/directory/users/${userId}/api-keys`;
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
                  onClick={() =>
                    void act(
                      () => send(`${path}/${one.id}`, { method: 'DELETE' }),
                      texts('keys.deleted'),
                    )
                  }
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
        path={path}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onMade={(made) => {
          setOpen(false);
          setKey(made);
          void act(() => Promise.resolve());
        }}
      />
      <OneTimeSecret
        icon={KeyRound}
        title={texts('keys.new')}
        text={texts('keys.once')}
        secret={key}
        onClose={() => setKey(undefined)}
      />
    </Section>
  );
}

/** Name, end and addresses of a key; what the server refuses stands at its field. */
function NewKey({
  path,
  isOpen,
  onClose,
  onMade,
}: {
  path: string;
  isOpen: boolean;
  onClose: () => void;
  onMade: (key: string) => void;
}) {
  const texts = useTexts();
  const [problem, setProblem] = useState<ApiProblem>();
  const fault = (name: string) => faultOf(problem, name, texts);
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => (form.get(name) as string).trim() || null;
    const until = text('expiration');
    const body = {
      name: text('name'),
      expiration: until === null ? null : new Date(until).toISOString(),
      addresses: text('addresses'),
    };
    try {
      const answer = await send(path, { method: 'POST', body });
      onMade(((await answer.json()) as { key: string }).key);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setProblem(error);
    }
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
      <form onSubmit={(event) => void submit(event)} noValidate>
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
