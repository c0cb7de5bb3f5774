/** The name, the logo and the colours that administrators chose, as the server writes them into the page. */
const meta = document.querySelector<HTMLMetaElement>('meta[name=branding]');
const { accentLight = '', accentDark = '', logo = '' } = meta?.dataset ?? {};

export const branding = {
  /** Blank for the page's own name. */
  name: meta?.content ?? '',
  /** The address of the logo; undefined without one. */
  logo: logo === '' ? undefined : logo,
};

/** Colours the page and its icon in the tab. Script may set styles; the content security policy admits no others. */
export function applyBranding(): void {
  const root = document.documentElement;
  if (accentLight !== '') root.style.setProperty('--accent-light', accentLight);
  if (accentDark !== '') root.style.setProperty('--accent-dark', accentDark);
  if (accentLight + accentDark !== '') root.dataset.accent = 'own';
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (!icon || branding.logo === undefined) return;
  icon.removeAttribute('type');
  icon.href = branding.logo;
}

/** A text of the console, followed by the name that administrators chose. */
export const withName = (text: string): string =>
  branding.name === '' ? text : `${text} · ${branding.name}`;
