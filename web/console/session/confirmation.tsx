import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react';
import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Stack,
  TextField,
} from '@mui/material';
import { Fingerprint, KeyRound } from 'lucide-react';
import { asksForCode, missesCode } from '../../api-client/api.js';
import { leaveForProvider, providerName } from '../../api-client/identity-provider.js';
import { isWrongPasskey, knowsPasskeys } from '../../api-client/passkeys.js';
import { hasPassword } from '../../api-client/passwords.js';
import { isWrongPassword, useConfirmation } from '../../api-client/use-confirmation.js';
import { useTexts } from '../translations/i18n.js';
import { CodeField } from '../components/code-field.js';
import { explain } from '../components/problems.js';
import { useAppContext } from './app-context.js';

/** Asks for the password, or a new sign-in at the provider, where a call needs a recent one. */
export function Confirmation() {
  const texts = useTexts();
  const { user } = useAppContext().session;
  const { question, problem, isBusy, needsCode, confirm, byPasskey, cancel } = useConfirmation();
  const [hasProviderFailed, setProviderFailed] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React passes events of a portal on to the form around it.
    event.stopPropagation();
    const code = new FormData(event.currentTarget).get('code') as string | null;
    await confirm(password.current!.value, code ?? undefined);
    if (code === null) password.current?.select();
  };
  const said = (): ReactNode => {
    if (hasProviderFailed) return texts('confirm.provider.failed');
    if (problem && asksForCode(problem))
      return missesCode(problem) ? undefined : texts('second-step.wrong');
    if (problem && isWrongPasskey(problem)) return texts('passkey.unknown');
    return problem && (isWrongPassword(problem) ? texts('confirm.wrong') : explain(problem, texts));
  };
  const fault = said();
  return (
    <Dialog
      open={question !== undefined}
      onClose={cancel}
      maxWidth="xs"
      fullWidth
      aria-labelledby="confirmation"
    >
      <form onSubmit={(event) => void submit(event)}>
        <DialogTitle id="confirmation">{texts('confirm.title')}</DialogTitle>
        <DialogContent>
          <Stack spacing={2}>
            <DialogContentText>{texts('confirm.lead')}</DialogContentText>
            <div role="alert">{fault !== undefined && <Alert severity="error">{fault}</Alert>}</div>
            {hasPassword(user.reference) && (
              <>
                <input
                  name="login"
                  autoComplete="username"
                  value={user.reference}
                  readOnly
                  hidden
                />
                <TextField
                  name="password"
                  type="password"
                  label={texts('confirm.password')}
                  autoComplete="current-password"
                  inputRef={password}
                  autoFocus
                  required
                  fullWidth
                />
                {needsCode && <CodeField />}
              </>
            )}
            {hasPassword(user.reference) && knowsPasskeys && (
              <Button
                variant="outlined"
                startIcon={<Fingerprint size={17} aria-hidden />}
                disabled={isBusy}
                onClick={() => void byPasskey()}
              >
                {texts('passkey.confirm')}
              </Button>
            )}
            {question && providerName !== undefined && (
              <ProviderProof
                maxAge={question.maxAge}
                isAlone={!hasPassword(user.reference)}
                onFailed={() => setProviderFailed(true)}
              />
            )}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={cancel}>{texts('cancel')}</Button>
          {hasPassword(user.reference) && (
            <Button type="submit" variant="contained" disabled={isBusy}>
              {texts('confirm.submit')}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface ProviderProofProps {
  maxAge: number;
  /** Whether the person has no password here. */
  isAlone: boolean;
  onFailed: () => void;
}

function ProviderProof({ maxAge, isAlone, onFailed }: ProviderProofProps) {
  const texts = useTexts();
  return (
    <>
      {!isAlone && (
        <DialogContentText variant="body2">{texts('confirm.provider.hint')}</DialogContentText>
      )}
      <Button
        variant="outlined"
        startIcon={<KeyRound size={17} aria-hidden />}
        onClick={() => void leaveForProvider({ maxAge }).catch(onFailed)}
      >
        {texts('confirm.provider', { name: providerName! })}
      </Button>
    </>
  );
}
