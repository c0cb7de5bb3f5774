import { useState } from 'react';
import { LogOut, SlidersHorizontal, UserRound } from 'lucide-react';
import { BASE, get, signOut } from '../../api-client/api.js';
import type { UserRights } from '../../api-client/types.js';
import { useLoad } from '../../api-client/use-load.js';
import { useLanguage } from '../translations/i18n.js';
import { BrandMark } from '../components/brand-mark.js';
import { LanguageChoice, ThemeChoice } from '../components/preferences.js';
import { Photo } from '../../account/photo.js';
import { Link } from '../router.js';
import { Search } from '../search/search.js';
import { useMe } from '../workplace-context.js';
import { Navigation } from './navigation.js';
import { useMenu } from './use-menu.js';

export function Header() {
  const { t, product } = useLanguage();
  return (
    <>
      <button
        className="skip"
        onClick={() => document.querySelector<HTMLElement>('main h1')?.focus()}
      >
        {t('skip.main')}
      </button>
      <header className="top">
        <Link to="" className="brand" aria-label={product}>
          <BrandMark />
          <span className="brand-name">{product}</span>
        </Link>
        <Navigation />
        <Search />
        <AccountMenu />
      </header>
    </>
  );
}

function AccountMenu() {
  const { t } = useLanguage();
  const { me, chooseLocale } = useMe();
  const menu = useMenu();
  const [isOpened, setOpened] = useState(false);
  return (
    <details className="account" ref={menu} onToggle={() => setOpened(true)}>
      <summary aria-label={t('menu')}>
        <Photo id={me.id} size={36} />
      </summary>
      <div className="account-menu">
        <div className="account-who">
          <Photo id={me.id} size={44} />
          <div>
            <strong>{me.title}</strong>
            <span>{me.email ?? me.login}</span>
          </div>
        </div>
        <Link to="profile" className="menu-item">
          <UserRound aria-hidden /> {t('menu.profile')}
        </Link>
        {isOpened && <ConsoleLink />}
        <div className="menu-choice">
          <ThemeChoice />
          <LanguageChoice onChosen={chooseLocale} />
        </div>
        <button className="menu-item" onClick={() => void signOut()}>
          <LogOut aria-hidden /> {t('menu.sign-out')}
        </button>
      </div>
    </details>
  );
}

/** The way to the console for people with a role. */
function ConsoleLink() {
  const { t } = useLanguage();
  const { value } = useLoad('rights', (signal) =>
    get<UserRights>('/api/v2/directory/users/me/rights', signal),
  );
  if (!value || value.permissions.length === 0) return null;
  return (
    <a href={`${BASE}/console`} className="menu-item">
      <SlidersHorizontal aria-hidden /> {t('menu.console')}
    </a>
  );
}
