import { useEffect, useState } from 'react';
import { applyTheme, storedTheme, type Theme } from '../../theme/theme.js';
import type { Mode } from './mui-theme.js';

const DARK = '(prefers-color-scheme: dark)';

/** The theme chosen here or in the workplace, and the resulting one on this device. */
export function useThemeChoice(): { theme: Theme; mode: Mode; choose: (theme: Theme) => void } {
  const [theme, setTheme] = useState(storedTheme);
  const [isDeviceDark, setDeviceDark] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const media = matchMedia(DARK);
    const follow = () => setDeviceDark(media.matches);
    media.addEventListener('change', follow);
    return () => media.removeEventListener('change', follow);
  }, []);
  const isDark = theme === 'system' ? isDeviceDark : theme === 'dark';
  return {
    theme,
    mode: isDark ? 'dark' : 'light',
    choose: (next) => {
      applyTheme(next);
      setTheme(next);
    },
  };
}
