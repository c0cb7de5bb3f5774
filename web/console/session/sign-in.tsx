import {
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import {
  Alert,
  Box,
  Button,
  Card,
  CircularProgress,
  Link,
  Stack,
  TextField,
  ToggleButton,
  ToggleButtonGroup,
  Typography,
} from '@mui/material';
import { Fingerprint } from 'lucide-react';
import { useLocaleState } from 'react-admin';
import {
  ApiProblem,
  asksForCode,
  BASE,
  missesCode,
  signIn,
  signOut,
} from '../../api-client/api.js';
import { sendsMail } from '../../api-client/mail.js';
import { isDeclined, knowsPasskeys, signInWithPasskey } from '../../api-client/passkeys.js';
import { takesPasswords } from '../../api-client/passwords.js';
import { whenSignedInElsewhere } from '../../api-client/session.js';
import { withName } from '../../theme/branding.js';
import { LANGUAGE_NAMES } from '../../theme/languages.js';
import { useTexts } from '../translations/i18n.js';
import { CodeField } from '../components/code-field.js';
import { BrandMark } from '../layout/brand-mark.js';
import { explain } from '../components/problems.js';

/** A card in the middle of an otherwise empty page. */
function Alone({ title, children }: { title: string; children: ReactNode }) {
  const texts = useTexts();
  useEffect(() => {
    const before = document.title;
    document.title = withName(texts('page.title', { page: title }));
    return () => {
      document.title = before;
    };
  }, [texts, title]);
  return (
    <Box
      component="main"
      sx={{
        minHeight: '100dvh',
        display: 'grid',
        placeContent: 'center',
        justifyItems: 'center',
        p: 2,
        gap: 2,
      }}
    >
      <Card sx={{ width: 'min(25rem, calc(100vw - 2rem))', p: { xs: 3, sm: 4 } }}>
        {/* The logo begins where the title does, whatever its width. */}
        <Stack spacing={2.5} sx={{ '& > img': { alignSelf: 'start' } }}>
          <BrandMark size={40} />
          <Typography variant="h1">{title}</Typography>
          {children}
        </Stack>
      </Card>
      <LanguageChoice />
    </Box>
  );
}

function LanguageChoice() {
  const texts = useTexts();
  const [locale, setLocale] = useLocaleState();
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      aria-label={texts('language')}
      value={locale}
      onChange={(_, next: string | null) => next !== null && setLocale(next)}
    >
      {LANGUAGE_NAMES.map(([value, name]) => (
        <ToggleButton key={value} value={value}>
          {name}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

/** The workplace handles the sign-in at the identity provider; the session is the same. */
const HAS_PROVIDER =
  (document.querySelector<HTMLMetaElement>('meta[name=identity-provider]')?.content ?? '') !== '';

/** The form for login and password, with the server's errors. */
export function SignIn({ hasEnded, onSignedIn }: { hasEnded: boolean; onSignedIn: () => void }) {
  const texts = useTexts();
  const [problem, setProblem] = useState<ReactNode>();
  const [isBusy, setBusy] = useState(false);
  const [showsFields, setShowsFields] = useState(takesPasswords);
  const [needsCode, setNeedsCode] = useState(false);
  const password = useRef<HTMLInputElement>(null);

  const follow = useEffectEvent(onSignedIn);
  useEffect(() => whenSignedInElsewhere(() => follow()), []);

  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [login, secret] = [form.get('login') as string, form.get('password') as string];
    if (login.trim() === '' || secret === '') return setProblem(texts('sign-in.blank'));
    setBusy(true);
    setProblem(undefined);
    try {
      await signIn(login.trim(), secret, (form.get('code') as string | null) ?? undefined);
      onSignedIn();
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      const isWrong = error.status === 401 || error.status === 400;
      setBusy(false);
      if (asksForCode(error)) {
        setNeedsCode(true);
        return setProblem(missesCode(error) ? undefined : texts('second-step.wrong'));
      }
      setProblem(isWrong ? texts('sign-in.wrong') : explain(error, texts));
      password.current?.select();
    }
  };

  const byPasskey = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await signInWithPasskey();
      onSignedIn();
    } catch (error) {
      setBusy(false);
      if (isDeclined(error)) return;
      if (!(error instanceof ApiProblem)) throw error;
      setProblem(error.status === 401 ? texts('passkey.unknown') : explain(error, texts));
    }
  };

  const said = problem ?? (hasEnded ? texts('sign-in.ended') : undefined);
  return (
    <Alone title={texts('sign-in.title')}>
      <Typography color="textSecondary">{texts('sign-in.lead')}</Typography>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack spacing={2}>
          <div role="alert">
            {said !== undefined && (
              <Alert severity={problem === undefined ? 'info' : 'error'}>{said}</Alert>
            )}
          </div>
          {showsFields && <Fields password={password} needsCode={needsCode} isBusy={isBusy} />}
          {showsFields && knowsPasskeys && (
            <Button
              variant="outlined"
              startIcon={<Fingerprint size={17} aria-hidden />}
              disabled={isBusy}
              onClick={() => void byPasskey()}
            >
              {texts('passkey.sign-in')}
            </Button>
          )}
          {HAS_PROVIDER && (
            <Typography variant="body2" color="textSecondary">
              {texts('sign-in.provider')}{' '}
              <Link href={`${BASE}/workplace`}>{texts('no-access.workplace')}</Link>
            </Typography>
          )}
          {!showsFields && (
            <Link component="button" type="button" onClick={() => setShowsFields(true)}>
              {texts('sign-in.administrator')}
            </Link>
          )}
        </Stack>
      </form>
    </Alone>
  );
}

interface FieldsProps {
  password: RefObject<HTMLInputElement | null>;
  needsCode: boolean;
  isBusy: boolean;
}

function Fields({ password, needsCode, isBusy }: FieldsProps) {
  const texts = useTexts();
  return (
    <>
      <TextField
        name="login"
        label={texts('sign-in.login')}
        autoComplete="username"
        autoFocus
        fullWidth
        slotProps={{ htmlInput: { autoCapitalize: 'none', spellCheck: false } }}
      />
      <TextField
        name="password"
        type="password"
        label={texts('sign-in.password')}
        autoComplete="current-password"
        fullWidth
        inputRef={password}
      />
      {needsCode && <CodeField />}
      <Button type="submit" variant="contained" size="large" disabled={isBusy} fullWidth>
        {texts(isBusy ? 'sign-in.busy' : 'sign-in.title')}
      </Button>
      {sendsMail && takesPasswords && (
        <Link href={`${BASE}/workplace/forgotten-password`} sx={{ textAlign: 'center' }}>
          {texts('sign-in.forgotten')}
        </Link>
      )}
    </>
  );
}

/** Informs a person who has no permission for the console, and offers the workplace instead. */
export function NoAccess({ login }: { login: string }) {
  const texts = useTexts();
  return (
    <Alone title={texts('no-access.title')}>
      <Typography>{texts('no-access.text', { login })}</Typography>
      <Stack spacing={1.5}>
        <Button variant="contained" href={`${BASE}/workplace`}>
          {texts('no-access.workplace')}
        </Button>
        <Button onClick={() => void signOut()}>{texts('no-access.other')}</Button>
      </Stack>
    </Alone>
  );
}

export function Problem({ problem, onRetry }: { problem: ApiProblem; onRetry: () => void }) {
  const texts = useTexts();
  return (
    <Alone title={texts('problem.title')}>
      <Alert severity="error">{explain(problem, texts)}</Alert>
      {problem.code === 'second-step-missing' && (
        <Button variant="contained" href={`${BASE}/workplace`}>
          {texts('second-step.add')}
        </Button>
      )}
      <Button variant="contained" onClick={onRetry}>
        {texts('retry')}
      </Button>
      <Link component="button" onClick={() => void signOut()}>
        {texts('sign-out')}
      </Link>
    </Alone>
  );
}

export function Waiting() {
  const texts = useTexts();
  return (
    <Box component="main" sx={{ minHeight: '100dvh', display: 'grid', placeContent: 'center' }}>
      <CircularProgress aria-label={texts('loading')} />
    </Box>
  );
}
