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
} from '@mui/material';
import { useNotify } from 'react-admin';
import { useQueryClient } from '@tanstack/react-query';
import { ApiProblem, send } from '../../api-client/api.js';
import { useTexts } from '../translations/i18n.js';
import { explain, faultOf } from '../components/problems.js';
import { ParameterValueField } from './parameter-value-field.js';
import { type Parameter, PARAMETERS_PATH, shortKey } from './parameter.js';

/** The dialog that sets one parameter. A list that would lock its author out needs a second confirmation. */
export function ChangeParameter({
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
    const address = `${PARAMETERS_PATH}/${encodeURIComponent(key)}${isForced ? '?force=true' : ''}`;
    const written = type === 'integer' && value !== '' ? Number(value) : value;
    try {
      await send(address, { method: 'PUT', body: { value: written } });
      notify(texts('saved'), { type: 'success' });
      onClose();
      // After a forced change, the server may no longer serve this address.
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
          <ParameterValueField
            parameter={parameter}
            value={value}
            fault={fault}
            onChange={(next) => {
              setValue(next);
              setProblem(undefined);
            }}
          />
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
