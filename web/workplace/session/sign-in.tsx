import { Fingerprint, KeyRound } from 'lucide-react';
import {
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { ApiProblem, asksForCode, missesCode, signIn } from '../../api-client/api.js';
import { whenSignedInElsewhere } from '../../api-client/session.js';
import { arrival, leaveForProvider, providerName } from '../../api-client/identity-provider.js';
import { sendsMail } from '../../api-client/mail.js';
import { isDeclined, knowsPasskeys, signInWithPasskey } from '../../api-client/passkeys.js';
import { takesPasswords } from '../../api-client/passwords.js';
import { Link } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { toProblem } from '../../api-client/use-load.js';
import { LanguageChoice } from '../components/preferences.js';
import { BrandMark } from '../components/brand-mark.js';
import { FormProblem } from '../components/form-problem.js';
import { CodeField } from '../components/code-field.js';
import { PasswordInput } from '../components/password-input.js';

/** Why a sign-in failed. */
type Fault = ApiProblem | 'blank' | 'passkey' | 'provider';

interface SignInProps {
  hasEnded: boolean;
  onSignedIn: () => Promise<void>;
}

export function SignIn({ hasEnded, onSignedIn }: SignInProps) {
  const { t, titleOf } = useLanguage();
  const [problem, setProblem] = useState<Fault>();
  /** Whether the login looks like an e-mail address, which the page for a forgotten password accepts. */
  const [isAddress, setAddress] = useState(false);
  const [isBusy, setBusy] = useState(arrival !== undefined && !hasEnded);
  const [showsFields, setShowsFields] = useState(takesPasswords);
  const [needsCode, setNeedsCode] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const before = document.title;
    document.title = titleOf(t('sign-in.title'));
    return () => {
      document.title = before;
    };
  }, [t, titleOf]);

  const failAtProvider = (error: unknown) => {
    const isOurs = error instanceof ApiProblem && error.status !== 401;
    setProblem(isOurs ? error : 'provider');
    setBusy(false);
  };
  const arrive = useEffectEvent(() => arrival?.then(onSignedIn, failAtProvider));
  useEffect(() => {
    if (!hasEnded) void arrive();
  }, [hasEnded]);

  const failToOpen = (error: unknown) => {
    setProblem(toProblem(error));
    setBusy(false);
  };
  const follow = useEffectEvent(() => onSignedIn().catch(failToOpen));
  useEffect(() => whenSignedInElsewhere(() => void follow()), []);

  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [login, secret] = [form.get('login') as string, form.get('password') as string];
    if (login.trim() === '' || secret === '') return setProblem('blank');
    setBusy(true);
    setProblem(undefined);
    setAddress(login.includes('@'));
    try {
      await signIn(login.trim(), secret, (form.get('code') as string | null) ?? undefined);
      await onSignedIn();
    } catch (error) {
      failToOpen(error);
      if (asksForCode(toProblem(error))) setNeedsCode(true);
      else password.current?.select();
    }
  };

  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <BrandMark isLarge />
        <h1>{t('sign-in.title')}</h1>
        <p className="lead">{t('sign-in.lead')}</p>
        <SignInProblem problem={problem} hasEnded={hasEnded} isAddress={isAddress} />
        {showsFields && (
          <PasswordForm field={password} needsCode={needsCode} onSubmit={submit} isBusy={isBusy} />
        )}
        {showsFields && knowsPasskeys && (
          <PasskeyButton
            isBusy={isBusy}
            onBusy={setBusy}
            onProblem={setProblem}
            onDone={onSignedIn}
          />
        )}
        {providerName !== undefined && (
          <ProviderButton
            isFirst={!showsFields}
            isBusy={isBusy}
            onClick={() => {
              setBusy(true);
              leaveForProvider().catch(failAtProvider);
            }}
          />
        )}
        {!showsFields && (
          <button className="other-account" onClick={() => setShowsFields(true)}>
            {t('sign-in.administrator')}
          </button>
        )}
      </div>
      <LanguageChoice />
    </main>
  );
}

interface SignInProblemProps {
  problem: Fault | undefined;
  hasEnded: boolean;
  isAddress: boolean;
}

function SignInProblem({ problem, hasEnded, isAddress }: SignInProblemProps) {
  const { t, problem: explain } = useLanguage();
  const text = (): string | undefined => {
    if (problem === undefined) return hasEnded ? t('sign-in.ended') : undefined;
    if (problem === 'blank') return t('sign-in.blank');
    if (problem === 'passkey') return t('passkey.unknown');
    if (problem === 'provider') return t('sign-in.provider.failed');
    if (asksForCode(problem)) return missesCode(problem) ? undefined : t('second-step.wrong');
    if (problem.status !== 401 && problem.status !== 400) return explain(problem);
    return t(isAddress ? 'sign-in.wrong.address' : 'sign-in.wrong');
  };
  return <FormProblem text={text()} />;
}

interface PasskeyButtonProps {
  isBusy: boolean;
  onBusy: (isBusy: boolean) => void;
  onProblem: (problem: Fault | undefined) => void;
  onDone: () => Promise<void>;
}

function PasskeyButton({ isBusy, onBusy, onProblem, onDone }: PasskeyButtonProps) {
  const { t } = useLanguage();
  const signIn = async () => {
    onBusy(true);
    onProblem(undefined);
    try {
      await signInWithPasskey();
      await onDone();
    } catch (error) {
      onBusy(false);
      if (isDeclined(error)) return;
      const problem = toProblem(error);
      onProblem(problem.status === 401 ? 'passkey' : problem);
    }
  };
  return (
    <button className="button wide provider" disabled={isBusy} onClick={() => void signIn()}>
      <Fingerprint aria-hidden /> {t('passkey.sign-in')}
    </button>
  );
}

interface ProviderButtonProps {
  isFirst: boolean;
  isBusy: boolean;
  onClick: () => void;
}

function ProviderButton({ isFirst, isBusy, onClick }: ProviderButtonProps) {
  const { t } = useLanguage();
  return (
    <button
      className={`button wide provider${isFirst ? ' primary' : ''}`}
      disabled={isBusy}
      onClick={onClick}
    >
      <KeyRound aria-hidden /> {t('sign-in.provider', { name: providerName! })}
    </button>
  );
}

interface PasswordFormProps {
  field: RefObject<HTMLInputElement | null>;
  needsCode: boolean;
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => Promise<void>;
  isBusy: boolean;
}

function PasswordForm({ field, needsCode, onSubmit, isBusy }: PasswordFormProps) {
  const { t } = useLanguage();
  return (
    <>
      <form onSubmit={(event) => void onSubmit(event)} noValidate>
        <label className="field">
          <span>{t('sign-in.login')}</span>
          <input
            name="login"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
          />
        </label>
        <PasswordField field={field} />
        {needsCode && <CodeField />}
        <button className="button primary wide" disabled={isBusy}>
          {t(isBusy ? 'sign-in.busy' : 'sign-in.submit')}
        </button>
      </form>
      {sendsMail && takesPasswords && (
        <Link to="forgotten-password" className="forgotten">
          {t('forgotten.link')}
        </Link>
      )}
    </>
  );
}

function PasswordField({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const { t } = useLanguage();
  return (
    <div className="field">
      <label htmlFor="password">{t('sign-in.password')}</label>
      <PasswordInput id="password" name="password" ref={field} autoComplete="current-password" />
    </div>
  );
}
