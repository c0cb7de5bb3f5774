import { LogOut, SlidersHorizontal, UserRound } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { BASE, signOut } from '../../api-client/api.js';
import { useLanguage } from '../translations/i18n.js';
import { BrandMark } from '../components/brand-mark.js';
import { LanguageChoice, ThemeChoice } from '../components/preferences.js';
import { Photo } from '../../account/photo.js';
import { Link, useRouter } from '../router.js';
import { Search } from '../search/search.js';
import { useMe } from '../workplace-context.js';

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
        <Search />
        <AccountMenu />
      </header>
    </>
  );
}

/** Closed by Esc, by a click beside it and by leaving the page. */
function AccountMenu() {
  const { t } = useLanguage();
  const { me, chooseLocale } = useMe();
  const { path } = useRouter();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = () => menu.current?.removeAttribute('open');
    close();
    const onClick = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.current?.open) return;
      close();
      menu.current.querySelector('summary')?.focus();
    };
    document.addEventListener('click', onClick);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('keydown', onKey);
    };
  }, [path]);
  return (
    <details className="account" ref={menu}>
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
        {me.administrator && (
          <a href={`${BASE}/console`} className="menu-item">
            <SlidersHorizontal aria-hidden /> {t('menu.console')}
          </a>
        )}
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
