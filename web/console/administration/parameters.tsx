import { type SyntheticEvent, useState } from 'react';
import {
  Alert,
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  FormControlLabel,
  Stack,
  Switch,
  TextField,
  Typography,
} from '@mui/material';
import { Pencil } from 'lucide-react';
import { useNotify } from 'react-admin';
import { useQueryClient } from '@tanstack/react-query';
import { ApiProblem, query, send } from '../../api-client/api.js';
import { useTexts } from '../translations/i18n.js';
import { Page, Pending, Section } from '../layout/page.js';
import { explain, faultOf } from '../components/problems.js';
import { useIsSysadmin } from '../session/app-context.js';
import type { TextKey } from '../translations/en.js';
import { en } from '../translations/en.js';
import { useApiPage } from '../api/use-api.js';
import { AddressCheck } from './address-check.js';

const PATH = '/api/v2/administration/parameters';

interface Parameter {
  key: string;
  value: string | number | boolean;
  type: string;
  defaultValue: string | number | boolean;
  description: string;
}

/** What the server is told by parameters; sysadmin alone may read and set them. */
export function Parameters() {
  const texts = useTexts();
  const isSysadmin = useIsSysadmin();
  return (
    <Page narrow title={texts('parameters.title')} lead={texts('parameters.lead')}>
      <AddressCheck />
      {isSysadmin ? <List /> : <Alert severity="info">{texts('parameters.sysadmin')}</Alert>}
    </Page>
  );
}

/** `com.vendor.security.Token.lifetime` without what all keys begin with. */
const shortKey = (key: string): string => key.replace(/^com\.[^.]+\./, '');

/** What a parameter is for, in the words of the page where it has some. */
function useDescription(): (parameter: Parameter) => string {
  const texts = useTexts();
  return ({ key, description }) => {
    const known = `parameter.${shortKey(key)}`;
    return known in en ? texts(known as TextKey) : description;
  };
}

function List() {
  const texts = useTexts();
  const describe = useDescription();
  const { data, error, refetch } = useApiPage<Parameter>(`${PATH}${query({ range: '0-500' })}`);
  const [edited, setEdited] = useState<Parameter>();
  if (!data) return <Pending error={error} onRetry={() => void refetch()} />;
  const sections = Map.groupBy(data.items, ({ key }) =>
    shortKey(key).split('.').slice(0, -1).join('.'),
  );
  return (
    <>
      {[...sections].map(([name, parameters]) => (
        <Section key={name} title={sectionTitle(name, texts)}>
          <Box component="ul" sx={{ p: 0 }}>
            {parameters.map((parameter) => (
              <Stack
                component="li"
                direction={{ xs: 'column', sm: 'row' }}
                spacing={{ xs: 0.5, sm: 2 }}
                key={parameter.key}
                sx={{ py: 1.25, borderTop: 1, borderColor: 'divider' }}
              >
                <Box sx={{ flex: 1, minWidth: 0 }}>
                  <Typography>{describe(parameter)}</Typography>
                  <Typography
                    variant="body2"
                    color="textSecondary"
                    sx={{ overflowWrap: 'anywhere' }}
                  >
                    <code>{parameter.key}</code>
                  </Typography>
                </Box>
                <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
                  <Shown parameter={parameter} />
                  <Button
                    size="small"
                    startIcon={<Pencil size={15} aria-hidden />}
                    aria-label={texts('parameters.change', { key: shortKey(parameter.key) })}
                    onClick={() => setEdited(parameter)}
                  >
                    {texts('change')}
                  </Button>
                </Stack>
              </Stack>
            ))}
          </Box>
        </Section>
      ))}
      {edited && (
        <Change
          key={edited.key}
          parameter={edited}
          description={describe(edited)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

function sectionTitle(name: string, texts: ReturnType<typeof useTexts>): string {
  const key = `parameters.section.${name}`;
  return key in en ? texts(key as TextKey) : name;
}

function Shown({ parameter: { value, defaultValue } }: { parameter: Parameter }) {
  const texts = useTexts();
  const show = (one: Parameter['value']): string =>
    typeof one === 'boolean' ? texts(one ? 'yes' : 'no') : String(one) || '–';
  return (
    <Box sx={{ textAlign: { sm: 'end' }, maxWidth: 320, overflowWrap: 'anywhere' }}>
      <Typography sx={{ fontWeight: 600 }}>{show(value)}</Typography>
      {value !== defaultValue && (
        <Typography variant="body2" color="textSecondary">
          {texts('parameters.default', { value: show(defaultValue) })}
        </Typography>
      )}
    </Box>
  );
}

/** Sets one parameter. A list that would lock its author out is set only after a second yes. */
function Change({
  parameter,
  description,
  onClose,
}: {
  parameter: Parameter;
  description: string;
  onClose: () => void;
}) {
  const texts = useTexts();
  const notify = useNotify();
  const queries = useQueryClient();
  const { key, type } = parameter;
  const [value, setValue] = useState(parameter.value);
  const [problem, setProblem] = useState<ApiProblem>();
  const [isBusy, setBusy] = useState(false);
  const isLockOut = problem?.status === 409;

  const set = async (isForced: boolean) => {
    setBusy(true);
    const address = `${PATH}/${encodeURIComponent(key)}${isForced ? '?force=true' : ''}`;
    const written = type === 'integer' && value !== '' ? Number(value) : value;
    try {
      await send(address, { method: 'PUT', body: { value: written } });
      notify(texts('saved'), { type: 'success' });
      onClose();
      // After a forced change this very address may no longer be served.
      void queries.invalidateQueries();
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setProblem(error);
      setBusy(false);
    }
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void set(false);
  };
  const fault = faultOf(problem, problem?.fields[0]?.name ?? '', texts);
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="parameter">
      <form onSubmit={submit} noValidate>
        <DialogTitle id="parameter" sx={{ overflowWrap: 'anywhere' }}>
          {shortKey(key)}
        </DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 2 }}>{description}</DialogContentText>
          {type === 'boolean' ? (
            <FormControlLabel
              control={
                <Switch checked={value === true} onChange={(_, checked) => setValue(checked)} />
              }
              label={texts(value === true ? 'yes' : 'no')}
            />
          ) : (
            <TextField
              fullWidth
              autoFocus
              label={texts('parameters.value')}
              type={type === 'integer' ? 'number' : 'text'}
              multiline={type === 'addresses'}
              value={value}
              onChange={(event) => {
                setValue(event.target.value);
                setProblem(undefined);
              }}
              error={fault !== undefined}
              helperText={
                fault ?? texts('parameters.default', { value: String(parameter.defaultValue) })
              }
            />
          )}
          <Box role="alert" sx={{ mt: 2 }}>
            {isLockOut && (
              <Alert severity="warning">
                <strong>{texts('parameters.lock-out')}</strong>
                <br />
                {texts('parameters.lock-out.text')}
              </Alert>
            )}
            {problem && !isLockOut && fault === undefined && (
              <Alert severity="error">{explain(problem, texts)}</Alert>
            )}
          </Box>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts('cancel')}</Button>
          {isLockOut ? (
            <Button
              color="error"
              variant="contained"
              disabled={isBusy}
              onClick={() => void set(true)}
            >
              {texts('parameters.force')}
            </Button>
          ) : (
            <Button type="submit" variant="contained" disabled={isBusy}>
              {texts('save')}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}
