import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useLanguage } from '../translations/i18n.js';

/** A password field with a button that shows and hides what was typed. */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const { t } = useLanguage();
  const [isShown, setShown] = useState(false);
  return (
    <span className="with-button">
      <input {...props} type={isShown ? 'text' : 'password'} />
      <button
        type="button"
        className="icon-button"
        aria-label={t(isShown ? 'sign-in.hide' : 'sign-in.show')}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </button>
    </span>
  );
}
