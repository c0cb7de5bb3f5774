import { type SyntheticEvent, useState } from 'react';
import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Stack,
  TextField,
  Typography,
} from '@mui/material';
import { History } from 'lucide-react';
import { ApiProblem } from '../../api-client/api.js';
import { useAction } from '../api/use-api.js';
import { explain, faultOf } from '../components/problems.js';
import { useTexts } from '../translations/i18n.js';
import { replay } from './replay.js';

/** The button and the dialog that replay the deliveries of a period. */
export function ReplayTime({ endpointId }: { endpointId: unknown }) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button startIcon={<History size={17} aria-hidden />} onClick={() => setOpen(true)}>
        {texts('deliveries.replayTime')}
      </Button>
      {isOpen && <ReplayTimeForm endpointId={endpointId} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Each error of the server is shown at its field. */
function ReplayTimeForm({ endpointId, onClose }: { endpointId: unknown; onClose: () => void }) {
  const texts = useTexts();
  const act = useAction();
  const [problem, setProblem] = useState<ApiProblem>();
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const moments = (['from', 'to'] as const).flatMap((name): [string, string][] => {
      const value = form.get(name) as string;
      return value === '' ? [] : [[name, new Date(value).toISOString()]];
    });
    const explains = (error: unknown): boolean => {
      if (error instanceof ApiProblem) setProblem(error);
      return error instanceof ApiProblem;
    };
    setProblem(undefined);
    void act(
      () => replay(endpointId, Object.fromEntries(moments)),
      texts('deliveries.replayedTime'),
      explains,
    ).then((isDone) => isDone && onClose());
  };
  const moment = (name: 'from' | 'to') => {
    const fault = faultOf(problem, name, texts);
    return (
      <TextField
        name={name}
        required
        label={texts(`deliveries.${name}`)}
        type="datetime-local"
        error={fault !== undefined}
        helperText={fault}
        slotProps={{ inputLabel: { shrink: true } }}
      />
    );
  };
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="replay-time">
      <form onSubmit={submit}>
        <DialogTitle id="replay-time">{texts('deliveries.replayTime')}</DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 2 }}>
            {texts('deliveries.replayTime.lead')}
          </DialogContentText>
          <Stack spacing={2.5} sx={{ pt: 1 }}>
            {problem && problem.fields.length === 0 && (
              <Typography color="error">{explain(problem, texts)}</Typography>
            )}
            {moment('from')}
            {moment('to')}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{texts('cancel')}</Button>
          <Button type="submit" variant="contained">
            {texts('deliveries.replayTime.do')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
