import '@fontsource-variable/inter/wght.css';
import '../theme/theme.css';
import '../account/account.css';
import './workplace.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LanguageProvider } from './translations/i18n.js';
import { signOut } from '../api-client/api.js';
import { arrival, signInSilently } from '../api-client/identity-provider.js';
import { resume } from '../api-client/session.js';
import { applyBranding } from '../theme/branding.js';
import { applyTheme, storedTheme } from '../theme/theme.js';
import { App } from './app.js';
import { opensWithoutSignIn } from './entry/entry-pages.js';
import { currentPath, RouterProvider } from './router.js';

applyBranding();
applyTheme(storedTheme());

function render(): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <LanguageProvider>
        <RouterProvider>
          <App />
        </RouterProvider>
      </LanguageProvider>
    </StrictMode>,
  );
}

// A person who returns from the identity provider gets a new session there.
if (arrival) render();
else
  void resume(signOut)
    .then(() => (opensWithoutSignIn(currentPath()) ? undefined : signInSilently()))
    .then(render);
