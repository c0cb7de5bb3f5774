import { Fingerprint, KeyRound } from 'lucide-react';
import { type SyntheticEvent, useRef, useState } from 'react';
import { asksForCode, missesCode } from '../../api-client/api.js';
import { leaveForProvider, providerName } from '../../api-client/identity-provider.js';
import { isWrongPasskey, knowsPasskeys } from '../../api-client/passkeys.js';
import { hasPassword } from '../../api-client/passwords.js';
import { isWrongPassword, useConfirmation } from '../../api-client/use-confirmation.js';
import { Dialog } from '../components/dialog.js';
import { useLanguage } from '../translations/i18n.js';
import { CodeField } from '../components/code-field.js';
import { FormProblem } from '../components/form-problem.js';
import { useMe } from '../workplace-context.js';

/** Asks for the password, or a new sign-in at the provider, where a call needs a recent one. */
export function Confirmation() {
  const { t, problem: explain } = useLanguage();
  const { me } = useMe();
  const { question, problem, isBusy, needsCode, confirm, byPasskey, cancel } = useConfirmation();
  const [hasProviderFailed, setProviderFailed] = useState(false);
  if (!question) return null;
  const text = (): string | undefined => {
    if (hasProviderFailed) return t('sign-in.provider.failed');
    if (problem && asksForCode(problem))
      return missesCode(problem) ? undefined : t('second-step.wrong');
    if (problem && isWrongPasskey(problem)) return t('passkey.unknown');
    return problem && (isWrongPassword(problem) ? t('confirm.wrong') : explain(problem));
  };
  return (
    <Dialog title={t('confirm.title')} onClose={cancel}>
      {hasPassword(me.login) ? (
        <PasswordQuestion
          onAnswer={confirm}
          onCancel={cancel}
          isBusy={isBusy}
          needsCode={needsCode}
          fault={text()}
        />
      ) : (
        <FormProblem text={text()} />
      )}
      {hasPassword(me.login) && knowsPasskeys && (
        <div className="other-way">
          <button className="button wide" disabled={isBusy} onClick={() => void byPasskey()}>
            <Fingerprint aria-hidden /> {t('passkey.confirm')}
          </button>
        </div>
      )}
      {providerName !== undefined && (
        <div className="other-way">
          <p className="hint">
            {t(hasPassword(me.login) ? 'confirm.provider.hint' : 'confirm.lead')}
          </p>
          <button
            className="button wide"
            disabled={isBusy}
            onClick={() =>
              void leaveForProvider({ maxAge: question.maxAge }).catch(() =>
                setProviderFailed(true),
              )
            }
          >
            <KeyRound aria-hidden /> {t('confirm.provider', { name: providerName })}
          </button>
        </div>
      )}
    </Dialog>
  );
}

interface QuestionProps {
  onAnswer: (password: string, code?: string) => Promise<void>;
  onCancel: () => void;
  isBusy: boolean;
  needsCode: boolean;
  fault: string | undefined;
}

function PasswordQuestion({ onAnswer, onCancel, isBusy, needsCode, fault }: QuestionProps) {
  const { t } = useLanguage();
  const { me } = useMe();
  const password = useRef<HTMLInputElement>(null);
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = new FormData(event.currentTarget).get('code') as string | null;
    await onAnswer(password.current!.value, code ?? undefined);
    if (code === null) password.current?.select();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <p className="hint">{t('confirm.lead')}</p>
      <FormProblem text={fault} />
      <input name="login" autoComplete="username" value={me.login} readOnly hidden />
      <label className="field">
        <span>{t('confirm.password')}</span>
        <input
          ref={password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </label>
      {needsCode && <CodeField />}
      <div className="buttons end">
        <button type="button" className="button" onClick={onCancel}>
          {t('cancel')}
        </button>
        <button className="button primary" disabled={isBusy}>
          {t('confirm.submit')}
        </button>
      </div>
    </form>
  );
}
