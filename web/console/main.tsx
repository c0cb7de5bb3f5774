import '@fontsource-variable/inter/wght.css';
import '../theme/theme.css';
import '../account/account.css';
import './console.css';
import { createRoot } from 'react-dom/client';
import { signOut } from '../api-client/api.js';
import { signInSilently } from '../api-client/identity-provider.js';
import { resume } from '../api-client/session.js';
import { applyBranding } from '../theme/branding.js';
import { applyTheme, storedTheme } from '../theme/theme.js';
import { App } from './app.js';
import { makeI18n } from './translations/i18n.js';

applyBranding();
applyTheme(storedTheme());
void resume(signOut)
  .then(signInSilently)
  .then(makeI18n)
  .then((i18n) => createRoot(document.getElementById('root')!).render(<App i18n={i18n} />));
