import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { CssBaseline, Dialog } from '@mui/material';
import { ThemeProvider, createTheme } from '@mui/material/styles';
import { I18nContextProvider, type I18nProvider } from 'react-admin';
import { ApiProblem, get, setReadOnly } from '../api-client/api.js';
import type { UserDetailed, UserRights } from '../api-client/types.js';
import { SYSADMIN } from '../api-client/passwords.js';
import { isSignedIn, keepPerson, whenSignedOut } from '../api-client/session.js';
import { loadDescriptions } from './api/description.js';
import { Console } from './console.js';
import {
  AppContext,
  type AppContextValue,
  type SeenAs,
  type Session,
} from './session/app-context.js';
import { ConsoleRights } from './session/rights.js';
import { NoAccess, Problem, SignIn, Waiting } from './session/sign-in.js';
import { themeFor } from './theme/mui-theme.js';
import { useThemeChoice } from './theme/use-theme-choice.js';

type State =
  | { at: 'signed-out'; hasEnded: boolean }
  | { at: 'loading' }
  | { at: 'refused'; session: Session }
  | { at: 'failed'; problem: ApiProblem }
  | { at: 'open' };

/** Who works in the console. */
type Held = Pick<AppContextValue, 'session' | 'locale' | 'rights'>;

/** An administrator may do everything, so that the long list of that is not loaded. */
async function rightsIn({ administrator, user }: Session): Promise<ConsoleRights> {
  if (administrator) return ConsoleRights.ofRole(['*'], user.reference === SYSADMIN);
  const { permissions } = await get<UserRights>('/api/v2/directory/users/me/rights');
  return new ConsoleRights(permissions);
}

/** As large and as opaque as a page. */
const IN_FRONT = { bgcolor: 'background.default', border: 0, borderRadius: 0 };

/**
 * The sign-in comes first, with the same token as the workplace. The address stays, so that a link works after the
 * sign-in. Only people with a permission for something in the console get further.
 */
export function App({ i18n }: { i18n: I18nProvider }) {
  const { theme, mode, choose } = useThemeChoice();
  const muiTheme = useMemo(() => createTheme(themeFor(mode)), [mode]);
  const [state, setState] = useState<State>(
    isSignedIn() ? { at: 'loading' } : { at: 'signed-out', hasEnded: false },
  );
  /** The person of this console. When the session ends, the console waits for the same person with unsaved entries. */
  const [held, setHeld] = useState<Held>();
  const [seenAs, setSeenAs] = useState<SeenAs>();
  const seeAs = useCallback((who: SeenAs | undefined) => {
    setReadOnly(who !== undefined);
    setSeenAs(who);
  }, []);
  useEffect(
    () =>
      whenSignedOut((why) => {
        seeAs(undefined);
        setState({ at: 'signed-out', hasEnded: why === 'ended' });
        if (why === 'left') setHeld(undefined);
      }),
    [seeAs],
  );

  const open = useCallback(async () => {
    setState({ at: 'loading' });
    try {
      const [session, { locale }] = await Promise.all([
        get<Session>('/api/v2/authentication'),
        get<UserDetailed>('/api/v2/directory/users/me'),
      ]);
      const rights = await rightsIn(session);
      if (!rights.openConsole) {
        setHeld(undefined);
        return setState({ at: 'refused', session });
      }
      await loadDescriptions();
      setHeld({ session, locale, rights });
      keepPerson(session.user.id);
      setState({ at: 'open' });
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      // An ended session already shows the sign-in page.
      if (error.status !== 401) setState({ at: 'failed', problem: error });
    }
  }, []);
  useEffect(() => {
    if (isSignedIn()) void open();
  }, [open]);

  const instead = (
    <>
      {state.at === 'loading' && <Waiting />}
      {state.at === 'signed-out' && (
        <SignIn hasEnded={state.hasEnded} onSignedIn={() => void open()} />
      )}
      {state.at === 'refused' && <NoAccess login={state.session.user.reference} />}
      {state.at === 'failed' && <Problem problem={state.problem} onRetry={() => void open()} />}
    </>
  );
  return (
    <>
      {held && (
        <AppContext
          value={{
            ...held,
            rights: seenAs?.rights ?? held.rights,
            seenAs,
            seeAs,
            theme,
            chooseTheme: choose,
          }}
        >
          <Console key={held.session.user.id} theme={themeFor(mode)} i18n={i18n} />
        </AppContext>
      )}
      {state.at !== 'open' && (
        <ThemeProvider theme={muiTheme}>
          <CssBaseline />
          <I18nContextProvider value={i18n}>
            {held ? <InFront>{instead}</InFront> : instead}
          </I18nContextProvider>
        </ThemeProvider>
      )}
    </>
  );
}

/** Above everything, even the console's own dialogs, from which it takes the focus. */
function InFront({ children }: { children: ReactNode }) {
  return (
    <Dialog open fullScreen transitionDuration={0} slotProps={{ paper: { sx: IN_FRONT } }}>
      {children}
    </Dialog>
  );
}
