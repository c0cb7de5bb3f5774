export type Theme = 'system' | 'light' | 'dark';
export const THEMES: Theme[] = ['system', 'light', 'dark'];

const KEY = 'theme';

export const storedTheme = (): Theme =>
  THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';

/** Applies and stores a theme; `system` follows the device. */
export function applyTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  document.documentElement.dataset.theme = theme;
}
