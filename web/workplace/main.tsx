import '@fontsource-variable/inter/wght.css';
import '../theme/theme.css';
import '../account/account.css';
import './workplace.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LanguageProvider } from './translations/i18n.js';
import { applyTheme, storedTheme } from '../theme/theme.js';
import { App } from './app.js';
import { RouterProvider } from './router.js';

applyTheme(storedTheme());
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <LanguageProvider>
      <RouterProvider>
        <App />
      </RouterProvider>
    </LanguageProvider>
  </StrictMode>,
);
