import {
  createContext,
  lazy,
  Suspense,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  Admin,
  type AuthProvider,
  CustomRoutes,
  type I18nProvider,
  localStorageStore,
  type RaThemeOptions,
  Resource,
} from 'react-admin';
import { QueryClient } from '@tanstack/react-query';
import { createBrowserRouter, Route } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { BASE, signOut } from '../api-client/api.js';
import { Audit } from './administration/audit.js';
import { Parameters } from './administration/parameters.js';
import { ViewAs } from './administration/view-as.js';
import { dataProvider } from './api/data-provider.js';
import { CreatePage, EditPage } from './form/record-pages.js';
import { Home } from './home.js';
import { ImportPage } from './csv/import-page.js';
import { Frame } from './layout/layout.js';
import { ListPage } from './list/list-page.js';
import { MissingPage, Pending } from './layout/page.js';
import { EDITABLE } from './resources.js';
import { useAppContext } from './session/app-context.js';
import { OrganizationTree } from './directory/organization-tree.js';

/** Loaded with its first visit: dragging takes much code, and few people sort. */
const ReorderPage = lazy(async () => ({
  default: (await import('./reorder/reorder-page.js')).ReorderPage,
}));

/** The user is known before react-admin starts; an ended session unmounts it. */
function authProviderFor(id: string, fullName: string): AuthProvider {
  return {
    login: () => Promise.resolve(),
    logout: () => signOut().then(() => false as const),
    checkAuth: () => Promise.resolve(),
    // The API client itself ends the session on a 401; other errors are shown where they occur.
    checkError: () => Promise.resolve(),
    getIdentity: () => Promise.resolve({ id, fullName }),
  };
}

/**
 * Lists reload when the person returns to them; forms never reload while the person edits. Without a network, a call
 * fails visibly instead of waiting.
 */
const makeQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });

interface Look {
  theme: RaThemeOptions;
  i18n: I18nProvider;
}

const LookContext = createContext<Look | undefined>(undefined);

function Pages() {
  const { theme, i18n } = useContext(LookContext)!;
  const { session, locale } = useAppContext();
  const authProvider = useMemo(
    () => authProviderFor(session.user.id, session.user.label),
    [session.user.id, session.user.label],
  );
  const [queries] = useState(makeQueries);
  // Reloads the data that failed to load while the session had ended.
  const first = useRef(session);
  useEffect(() => {
    if (session !== first.current) void queries.invalidateQueries();
  }, [session, queries]);
  const store = useMemo(() => {
    const preferences = localStorageStore('1', 'console');
    // React-admin reads the language there. The account's language takes precedence over the browser's last one.
    preferences.setItem('locale', locale);
    return preferences;
  }, [locale]);
  return (
    <Admin
      authProvider={authProvider}
      dataProvider={dataProvider}
      i18nProvider={i18n}
      queryClient={queries}
      store={store}
      theme={theme}
      darkTheme={null}
      layout={Frame}
      dashboard={Home}
      catchAll={MissingPage}
      loginPage={false}
      disableTelemetry
    >
      {EDITABLE.map((name) => (
        <Resource
          key={name}
          name={name}
          list={ListPage}
          create={CreatePage}
          edit={EditPage}
          recordRepresentation="label"
        />
      ))}
      <Resource name="audit" list={Audit} />
      <CustomRoutes>
        <Route path="/:resource/import" element={<ImportPage />} />
        <Route path="/organizations/tree" element={<OrganizationTree />} />
        <Route
          path="/reorder"
          element={
            <Suspense fallback={<Pending error={null} />}>
              <ReorderPage />
            </Suspense>
          }
        />
        <Route path="/parameters" element={<Parameters />} />
        <Route path="/view-as" element={<ViewAs />} />
      </CustomRoutes>
    </Admin>
  );
}

/** The router below the base path; it stays mounted while sign-in, theme and language change. */
const router = createBrowserRouter([{ path: '*', element: <Pages /> }], {
  basename: `${BASE}/console`,
});

/** The console behind its sign-in. */
export function Console(look: Look) {
  return (
    <LookContext value={look}>
      <RouterProvider router={router} />
    </LookContext>
  );
}
