import { useEffect, useRef } from 'react';
import { useLanguage } from '../translations/i18n.js';

/** The code of a second step: of an authenticator app, or a recovery code. It takes the focus when it appears. */
export function CodeField() {
  const { t } = useLanguage();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <label className="field">
      <span>{t('second-step.code')}</span>
      <input ref={field} name="code" autoComplete="one-time-code" autoCapitalize="none" />
      <small>{t('second-step.code.help')}</small>
    </label>
  );
}
