import { useCallback, useEffect, useRef, useState } from 'react';
import { get, patch } from '../api-client/api.js';
import { isSignedIn, keepPerson, type SignedOut, whenSignedOut } from '../api-client/session.js';
import { useLanguage } from './translations/i18n.js';
import type { Locale, Ref, UserDetailed } from '../api-client/types.js';
import {
  AnsweredLanguageContext,
  SignInsContext,
  toProblem,
  useLoad,
} from '../api-client/use-load.js';
import { arrival } from '../api-client/identity-provider.js';
import { Confirmation } from './session/confirmation.js';
import { isContentKind } from './content/content-kinds.js';
import { ContentListPage } from './content/content-list-page.js';
import { ContentPage } from './content/content-page.js';
import { AfterRecovery } from './entry/after-recovery.js';
import { ForgottenPassword } from './entry/forgotten-password.js';
import { FORGOTTEN_PASSWORD, isCodePage, stopsMails } from './entry/entry-pages.js';
import { SetPassword } from './entry/set-password.js';
import { AbsencesProvider } from './absences/absences-context.js';
import { AwayBanner } from './absences/away-banner.js';
import { StopMails } from './entry/stop-mails.js';
import { Header } from './layout/header.js';
import { HelpPage } from './content/help-page.js';
import { Home } from './tiles/home.js';
import { Boundary } from './components/boundary.js';
import { AsideContext } from './components/dialog.js';
import { MissingPage, Problem } from './components/empty.js';
import { Page } from './components/page.js';
import { Skeleton } from './components/ready.js';
import { PeoplePage } from './people/people-page.js';
import { ProfilePage } from './profile/profile-page.js';
import { useRouter } from './router.js';
import { ResultsPage } from './search/results-page.js';
import { SearchTextProvider, textIn } from './search/search-text.js';
import { SecondStepPage } from './session/second-step-page.js';
import { SignIn } from './session/sign-in.js';
import { InboxPage } from './tasks/inbox-page.js';
import { TaskListPage } from './tasks/task-list.js';
import { TaskPage } from './tasks/task-page.js';
import { ToastProvider } from './components/toast.js';
import { UserPage } from './content/user-page.js';
import { MeContext, WorkplaceProvider } from './workplace-context.js';

/**
 * The sign-in comes first. The address stays, so that a link works after the sign-in. When the session ends, the page
 * waits hidden, with its unsaved entries, for the same person only.
 */
export function App() {
  // A person who returns from the identity provider gets a new session in any case.
  const [session, setSession] = useState<'open' | SignedOut>(
    isSignedIn() && arrival === undefined ? 'open' : 'left',
  );
  const [visit, setVisit] = useState(0);
  const [signIns, setSignIns] = useState(0);
  /** Whether the person has just set a password with a one-time code. */
  const [hasRecovered, setRecovered] = useState(false);
  /** Whose page it is. */
  const person = useRef<string>(undefined);
  const knowPerson = useCallback((id: string) => {
    person.current = id;
    keepPerson(id);
  }, []);
  /** Where they were on it. */
  const place = useRef<Element>(null);
  useEffect(
    () =>
      whenSignedOut((why) => {
        place.current = document.activeElement;
        setSession(why);
        setRecovered(false);
      }),
    [],
  );
  useEffect(() => {
    if (signIns > 0 && place.current instanceof HTMLElement) place.current.focus();
  }, [signIns]);
  /** @throws ApiProblem when the person of the new session is unknown */
  const open = async () => {
    if (session === 'ended' && (await isStill(person.current))) keepPerson(person.current!);
    else setVisit(visit + 1);
    setSignIns(signIns + 1);
    setSession(isSignedIn() ? 'open' : 'left');
  };
  const { path, go } = useRouter();
  if (path === FORGOTTEN_PASSWORD) return <ForgottenPassword />;
  if (stopsMails(path)) return <StopMails path={path} />;
  if (isCodePage(path))
    return (
      <SetPassword
        kind={path}
        onSignedIn={() => {
          go('', { replaces: true });
          setRecovered(true);
          // Without an answer, the sign-in page appears.
          open().catch(() => undefined);
        }}
      />
    );
  return (
    <>
      {session !== 'left' && (
        <div hidden={session === 'ended'}>
          <SignInsContext value={signIns}>
            <AsideContext value={session === 'ended'}>
              <SignedIn key={visit} hasRecovered={hasRecovered} onKnown={knowPerson} />
            </AsideContext>
          </SignInsContext>
        </div>
      )}
      {session !== 'open' && <SignIn hasEnded={session === 'ended'} onSignedIn={open} />}
    </>
  );
}

/**
 * Whether the session belongs to this person.
 * @throws ApiProblem without an answer; the unsaved entries keep waiting
 */
const isStill = (person: string | undefined): Promise<boolean> =>
  get<{ user: Ref }>('/api/v2/authentication').then(
    ({ user }) => user.id === person,
    (error: unknown) => {
      if (toProblem(error).status === 401) return false;
      throw error;
    },
  );

function SignedIn({
  hasRecovered,
  onKnown,
}: {
  hasRecovered: boolean;
  onKnown: (id: string) => void;
}) {
  const { path } = useRouter();
  const { setLocale } = useLanguage();
  const {
    value: me,
    problem,
    reload,
  } = useLoad('me', (signal) => get<UserDetailed>('/api/v2/directory/users/me', signal));
  const id = me?.id;
  useEffect(() => {
    if (id !== undefined) onKnown(id);
  }, [id, onKnown]);
  /** The language chosen here takes precedence over the stored one, which may load before the change arrives. */
  const [chosen, setChosen] = useState<Locale>();
  const locale = chosen ?? me?.locale;
  useEffect(() => {
    if (locale !== undefined) setLocale(locale);
  }, [locale, setLocale]);
  const chooseLocale = (next: Locale) => {
    setChosen(next);
    const operation = { op: 'replace', path: '/locale', value: next };
    patch(`/api/v2/directory/users/${id}`, [operation]).then(reload, () =>
      setChosen((last) => (last === next ? undefined : last)),
    );
  };
  if (problem?.code === 'second-step-missing') return <SecondStepPage onDone={reload} />;
  if (!me) return problem ? <Problem problem={problem} onRetry={reload} /> : <Skeleton />;
  return (
    <MeContext value={{ me, reload, chooseLocale }}>
      <AnsweredLanguageContext value={me.locale}>
        <ToastProvider>
          <WorkplaceProvider>
            <SearchTextProvider>
              <AbsencesProvider>
                <Header />
                <AwayBanner />
                {hasRecovered && <AfterRecovery />}
                <Boundary key={path}>
                  <Route />
                </Boundary>
              </AbsencesProvider>
            </SearchTextProvider>
            <Confirmation />
          </WorkplaceProvider>
        </ToastProvider>
      </AnsweredLanguageContext>
    </MeContext>
  );
}

function Route() {
  const { path, search, visit } = useRouter();
  const [kind = '', id = '', ...rest] = segmentsOf(path);
  if (path === '') return <Home />;
  if (path === 'profile') return <ProfilePage />;
  if (path === 'tasks') return <InboxPage key={visit} />;
  if (path === 'search') return <ResultsPage key={search} text={textIn(search).trim()} />;
  if (path === 'people') return <PeoplePage key={visit} />;
  if (isContentKind(path)) return <ContentListPage key={visit} kind={path} />;
  if (rest.length === 0 && id !== '') {
    if (kind === 'applications') return <TaskListPage key={id} id={id} />;
    if (kind === 'tasks') return <TaskPage key={id} id={id} />;
    if (kind === 'users') return <UserPage key={id} id={id} />;
    if (kind === 'help') return <HelpPage key={id} topic={id} />;
    if (isContentKind(kind)) return <ContentPage key={path} kind={kind} id={id} />;
  }
  return (
    <Page title="missing.title">
      <MissingPage />
    </Page>
  );
}

/** Decodes a part of a path. A typed address may be invalid, and then leads nowhere. */
function segmentsOf(path: string): string[] {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}
