import { useId, useState } from 'react';
import { useLanguage } from '../translations/i18n.js';
import { applyTheme, storedTheme, THEMES } from '../../theme/theme.js';
import { LANGUAGE_NAMES } from '../../theme/languages.js';
import type { Locale } from '../../api-client/types.js';

/** A choice of few options as a row of buttons, which are radio buttons for the keyboard and for screen readers. */
export function Segments<T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: [value: T, label: React.ReactNode][];
  value: T;
  onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="unseen">{label}</legend>
      {options.map(([option, content]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          <span>{content}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** @param onChosen stores the choice beyond this browser */
export function LanguageChoice({ onChosen }: { onChosen?: (locale: Locale) => void }) {
  const { t, locale, setLocale } = useLanguage();
  const choose = (next: Locale) => {
    setLocale(next);
    onChosen?.(next);
  };
  return (
    <Segments label={t('language')} options={LANGUAGE_NAMES} value={locale} onChange={choose} />
  );
}

export function ThemeChoice() {
  const { t } = useLanguage();
  const [theme, setTheme] = useState(storedTheme);
  return (
    <Segments
      label={t('menu.theme')}
      options={THEMES.map((one) => [one, t(`theme.${one}`)])}
      value={theme}
      onChange={(next) => {
        applyTheme(next);
        setTheme(next);
      }}
    />
  );
}
