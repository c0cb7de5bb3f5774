import type { AccountPage } from '../../account/account-page.js';
import { useToast } from '../components/toast.js';
import { useLanguage } from '../translations/i18n.js';
import { useMe } from '../workplace-context.js';
import { accountElements } from './account-elements.js';

/**
 * The parts of the workplace for the account components.
 * @param onChange runs after each change of the account
 */
export function useOwnAccount(onChange: () => void): AccountPage {
  const { t, moment, problem } = useLanguage();
  const { me } = useMe();
  const toast = useToast();
  return {
    userId: me.id,
    isOwn: true,
    texts: t,
    showDate: moment,
    explain: problem,
    notify: (text) => toast({ text }),
    onChange,
    elements: accountElements,
  };
}
