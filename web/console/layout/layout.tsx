import { type ReactNode, useEffect, useState } from 'react';
import {
  AppBar,
  Box,
  Button,
  Divider,
  Drawer,
  IconButton,
  Link as MuiLink,
  ListSubheader,
  Menu,
  MenuItem,
  Toolbar,
  Tooltip,
  Typography,
} from '@mui/material';
import {
  ArrowUpRight,
  Check,
  Eye,
  GripVertical,
  House,
  Languages,
  LogOut,
  type LucideIcon,
  Menu as MenuIcon,
  Moon,
  Settings2,
} from 'lucide-react';
import { useLocaleState, useTranslate } from 'react-admin';
import { NavLink, useLocation } from 'react-router';
import { BASE, patch, signOut } from '../../api-client/api.js';
import type { Locale } from '../../api-client/types.js';
import { LANGUAGE_NAMES } from '../../theme/languages.js';
import { type Theme, THEMES } from '../../theme/theme.js';
import { Confirmation } from '../session/confirmation.js';
import { useTexts } from '../translations/i18n.js';
import { withName } from '../../theme/branding.js';
import { BrandMark } from './brand-mark.js';
import { Boundary, DeniedPage } from './page.js';
import { SeenAsBanner } from '../roles/see-as.js';
import { RESOURCES } from '../resources.js';
import { useAppContext, useRights } from '../session/app-context.js';

const WIDTH = 232;
const HEAD = 56;

/** The bar above, the menu beside, and a page. */
export function Frame({ children }: { children: ReactNode }) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  const rights = useRights();
  useEffect(() => setOpen(false), [pathname]);
  return (
    <Box sx={{ minHeight: '100dvh', bgcolor: 'background.default' }}>
      <MuiLink
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
        sx={{
          position: 'fixed',
          zIndex: 2000,
          top: -60,
          left: 8,
          p: 1.25,
          bgcolor: 'background.paper',
          '&:focus': { top: 8 },
        }}
      >
        {texts('skip.main')}
      </MuiLink>
      <Bar onMenu={() => setOpen(true)} />
      <Drawer
        variant="permanent"
        sx={{
          display: { xs: 'none', md: 'block' },
          '& .MuiDrawer-paper': { width: WIDTH, pt: `${HEAD}px` },
        }}
      >
        <Navigation />
      </Drawer>
      <Drawer
        open={isOpen}
        onClose={() => setOpen(false)}
        sx={{
          display: { md: 'none' },
          '& .MuiDrawer-paper': { width: WIDTH + 20, pt: `${HEAD}px` },
        }}
      >
        <Navigation />
      </Drawer>
      <Box
        component="main"
        id="main"
        tabIndex={-1}
        sx={{ pt: `${HEAD}px`, pl: { md: `${WIDTH}px` }, outline: 'none' }}
      >
        <SeenAsBanner />
        <Boundary key={pathname} texts={texts}>
          {rights.mayOpen(pathname) ? children : <DeniedPage />}
        </Boundary>
      </Box>
      <Confirmation />
    </Box>
  );
}

function Bar({ onMenu }: { onMenu: () => void }) {
  const texts = useTexts();
  return (
    <AppBar sx={{ zIndex: (theme) => theme.zIndex.drawer + 1 }}>
      <Toolbar variant="dense" sx={{ minHeight: HEAD, gap: 1 }}>
        <IconButton
          edge="start"
          onClick={onMenu}
          aria-label={texts('menu.open')}
          sx={{ display: { md: 'none' } }}
        >
          <MenuIcon size={20} aria-hidden />
        </IconButton>
        <BrandMark size={28} />
        <Typography component="span" sx={{ fontWeight: 660, flexGrow: 1 }}>
          {withName(texts('product'))}
        </Typography>
        <Button
          href={`${BASE}/workplace`}
          color="inherit"
          endIcon={<ArrowUpRight size={16} aria-hidden />}
          sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
        >
          {texts('workplace')}
        </Button>
        <LanguageMenu />
        <ThemeMenu />
        <AccountMenu />
      </Toolbar>
    </AppBar>
  );
}

/** A button in the bar with a menu behind it. */
function BarMenu({
  label,
  button,
  children,
}: {
  label: string;
  button: ReactNode;
  children: (close: () => void) => ReactNode;
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <Tooltip title={label}>
        <IconButton
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          {button}
        </IconButton>
      </Tooltip>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={close}>
        {children(close)}
      </Menu>
    </>
  );
}

/** A menu with one selected entry. */
function ChoiceMenu<T extends string>({
  label,
  icon: Icon,
  options,
  value,
  onChange,
}: {
  label: string;
  icon: LucideIcon;
  options: [value: T, label: string][];
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    <BarMenu label={label} button={<Icon size={19} aria-hidden />}>
      {(close) =>
        options.map(([option, text]) => (
          <MenuItem
            key={option}
            role="menuitemradio"
            aria-checked={option === value}
            selected={option === value}
            onClick={() => {
              onChange(option);
              close();
            }}
            sx={{ gap: 1.5 }}
          >
            <Box component="span" sx={{ width: 16, display: 'inline-flex' }}>
              {option === value && <Check size={16} aria-hidden />}
            </Box>
            {text}
          </MenuItem>
        ))
      }
    </BarMenu>
  );
}

function LanguageMenu() {
  const texts = useTexts();
  const [locale, setLocale] = useLocaleState();
  const { id } = useAppContext().session.user;
  const choose = (next: Locale) => {
    setLocale(next);
    const operation = { op: 'replace', path: '/locale', value: next };
    // If the account cannot store the choice, the page still keeps it.
    patch(`/api/v2/directory/users/${id}`, [operation]).catch(() => undefined);
  };
  return (
    <ChoiceMenu
      label={texts('language')}
      icon={Languages}
      options={LANGUAGE_NAMES}
      value={locale as Locale}
      onChange={choose}
    />
  );
}

function ThemeMenu() {
  const texts = useTexts();
  const { theme, chooseTheme } = useAppContext();
  return (
    <ChoiceMenu<Theme>
      label={texts('theme')}
      icon={Moon}
      options={THEMES.map((one) => [one, texts(`theme.${one}`)])}
      value={theme}
      onChange={chooseTheme}
    />
  );
}

function AccountMenu() {
  const texts = useTexts();
  const { user } = useAppContext().session;
  const initials = user.label
    .split(' ')
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();
  const avatar = (
    <Box
      component="span"
      sx={{
        display: 'grid',
        placeItems: 'center',
        width: 30,
        height: 30,
        borderRadius: '50%',
        bgcolor: 'action.selected',
        color: 'primary.main',
        fontSize: '0.78rem',
        fontWeight: 650,
      }}
    >
      {initials}
    </Box>
  );
  return (
    <BarMenu label={texts('account')} button={avatar}>
      {() => [
        <ListSubheader key="who" role="presentation" sx={{ lineHeight: 1.4, py: 1 }}>
          {user.label}
          <br />
          {user.reference}
        </ListSubheader>,
        <Divider key="line" />,
        <MenuItem key="workplace" component="a" href={`${BASE}/workplace`} sx={{ gap: 1.5 }}>
          <ArrowUpRight size={16} aria-hidden /> {texts('workplace')}
        </MenuItem>,
        <MenuItem key="out" onClick={() => void signOut()} sx={{ gap: 1.5 }}>
          <LogOut size={16} aria-hidden /> {texts('sign-out')}
        </MenuItem>,
      ]}
    </BarMenu>
  );
}

interface Place {
  to: string;
  label: string;
  icon: LucideIcon;
}

/** The pages that one may see, by their sections. */
function Navigation() {
  const texts = useTexts();
  const translate = useTranslate();
  const rights = useRights();
  const resources = (section: string): Place[] =>
    Object.entries(RESOURCES)
      .filter(([name, resource]) => resource.section === section && rights.shows(name))
      .map(([name, { icon }]) => ({
        to: `/${name}`,
        label: translate(`resources.${name}.name`, { smart_count: 2 }),
        icon,
      }));
  const home = { to: '/', label: texts('home.title'), icon: House };
  const reorder = { to: '/reorder', label: texts('reorder.title'), icon: GripVertical };
  const viewAs = { to: '/view-as', label: texts('view-as.title'), icon: Eye };
  const parameters = { to: '/parameters', label: texts('parameters.title'), icon: Settings2 };
  const permitted = [reorder, viewAs].filter(({ to }) => rights.mayOpen(to));
  const all: [string | undefined, Place[]][] = [
    [undefined, [home]],
    [texts('section.directory'), resources('directory')],
    [texts('section.workplace'), [...resources('workplace'), ...permitted]],
    [texts('section.content'), resources('content')],
    [
      texts('section.administration'),
      [...resources('administration'), ...(rights.isSysadmin ? [parameters] : [])],
    ],
  ];
  const sections = all.filter(([, places]) => places.length > 0);
  return (
    <Box component="nav" aria-label={texts('menu')} sx={{ py: 1.5, overflowY: 'auto' }}>
      {sections.map(([title, places]) => (
        <Box key={title ?? ''} sx={{ px: 1.25, mb: 1.25 }}>
          {title !== undefined && (
            <Typography
              component="h2"
              sx={{
                px: 1.25,
                py: 0.5,
                fontSize: '0.76rem',
                fontWeight: 620,
                color: 'text.secondary',
              }}
            >
              {title}
            </Typography>
          )}
          <Box component="ul" sx={{ p: 0, m: 0 }}>
            {places.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Box
                  component={NavLink}
                  to={to}
                  end={to === '/'}
                  sx={{
                    display: 'flex',
                    alignItems: 'center',
                    gap: 1.25,
                    px: 1.25,
                    py: 0.7,
                    borderRadius: '8px',
                    color: 'text.primary',
                    fontSize: '0.9rem',
                    fontWeight: 500,
                    '& svg': { color: 'text.secondary' },
                    '&:hover': { bgcolor: 'action.hover', textDecoration: 'none' },
                    '&.active': { bgcolor: 'action.selected', color: 'primary.main' },
                    '&.active svg': { color: 'primary.main' },
                  }}
                >
                  <Icon size={17} aria-hidden />
                  {label}
                </Box>
              </li>
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
