import { AccountPageProvider } from '../../account/account-page.js';
import { LastingRightsDialog } from '../../account/lasting-rights.js';
import { useAbsences } from '../absences/absences-context.js';
import { useOwnAccount } from '../profile/own-account.js';
import { useWorkplace } from '../workplace-context.js';

/** After a password was set with a one-time code, shows the rights that this did not end. */
export function AfterRecovery() {
  const { reload } = useAbsences();
  const { refresh } = useWorkplace();
  const page = useOwnAccount(() => {
    reload();
    refresh();
  });
  return (
    <AccountPageProvider page={page}>
      <LastingRightsDialog resets={1} />
    </AccountPageProvider>
  );
}
