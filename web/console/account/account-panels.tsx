import { useState } from 'react';
import { Alert, Button, Stack, Typography } from '@mui/material';
import { Eye, LockOpen } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { Link } from 'react-router';
import { type AccountPage, AccountPageProvider } from '../../account/account-page.js';
import { ApiKeysSection } from '../../account/api-keys-section.js';
import { EndEverythingSection } from '../../account/end-everything-section.js';
import { LastingRightsDialog } from '../../account/lasting-rights.js';
import { PhotoSection } from '../../account/photo-section.js';
import { SessionsSection } from '../../account/sessions-section.js';
import { send } from '../../api-client/api.js';
import type { Permission } from '../../../src/base/rights/permissions.js';
import { SYSADMIN, takesPasswords } from '../../api-client/passwords.js';
import type { Item } from '../api/data-provider.js';
import { useTexts } from '../translations/i18n.js';
import { Section } from '../layout/page.js';
import { useAction } from '../api/use-api.js';
import { explain } from '../components/problems.js';
import { useDates } from '../components/value.js';
import { useAppContext, useRights } from '../session/app-context.js';
import { accountElements } from './account-elements.js';
import { InviteButtons } from './invite-buttons.js';
import { NewApiKey } from './new-api-key.js';
import { SecondStepResetButton } from './second-step-reset.js';
import { UserGroups } from './user-groups.js';

/**
 * The account of a user: photo, groups, access, sessions and API keys.
 * @param resets the number of new passwords from the form above
 */
export function AccountPanels({ user, resets }: { user: Item; resets: number }) {
  const page = useUserPage(user.id);
  const [invitations, setInvitations] = useState(0);
  const rights = useRights();
  const may = (permission: Permission) => page.isOwn || rights.permitsSomewhere(permission);
  const setsCredentials = may('users:set-credentials');
  const endsSessions = may('users:end-sessions');
  return (
    <AccountPageProvider page={page}>
      {may('users:change') && <PhotoSection />}
      <UserGroups user={user} />
      <Access user={user} onInvited={() => setInvitations((last) => last + 1)} />
      {endsSessions && <SessionsSection />}
      {setsCredentials && <ApiKeysSection NewApiKey={NewApiKey} />}
      {endsSessions && setsCredentials && <EndEverythingSection />}
      <LastingRightsDialog resets={resets + invitations} />
    </AccountPageProvider>
  );
}

/** The keys of a service account. */
export function ServiceAccountPanels({ account }: { account: Item }) {
  const page = useUserPage(account.id);
  if (!useRights().permits('service-accounts:set-credentials')) return null;
  return (
    <AccountPageProvider page={page}>
      <ApiKeysSection NewApiKey={NewApiKey} accounts="/api/v2/directory/service-accounts" />
    </AccountPageProvider>
  );
}

function useUserPage(userId: string): AccountPage {
  const texts = useTexts();
  const notify = useNotify();
  const queries = useQueryClient();
  const { user } = useAppContext().session;
  return {
    userId,
    isOwn: user.id === userId,
    texts,
    showDate: useDates(),
    explain: (problem) => explain(problem, texts),
    notify: (text) => notify(text, { type: 'success' }),
    onChange: () => void queries.invalidateQueries(),
    elements: accountElements,
  };
}

/** The lock after too many failures, invitations, and the preview of the person's workplace. */
function Access({ user, onInvited }: { user: Item; onInvited: () => void }) {
  const texts = useTexts();
  const act = useAction();
  const showDate = useDates();
  const path = `/api/v2/directory/users/${user.id}`;
  const unlock = () =>
    void act(() => send(`${path}/lock`, { method: 'DELETE' }), texts('account.unlocked'));
  const rights = useRights();
  const invites = takesPasswords && rights.permitsSomewhere('users:invite');
  const previews = rights.permits('workplaces:read');
  const { session } = useAppContext();
  // People remove their own second step themselves, and that of sysadmin is removed on the server.
  const resetsSecondStep =
    user.id !== session.user.id &&
    user.login !== SYSADMIN &&
    rights.permitsSomewhere('users:reset-second-step');
  // Who does not manage the account does not see the lock.
  const lockedUntil = (user.lockedUntil ?? null) as string | null;
  if (lockedUntil === null && !invites && !previews && !resetsSecondStep) return null;
  return (
    <Section title={texts('account.access')}>
      {lockedUntil !== null && (
        <Alert
          severity="warning"
          sx={{ mb: 2 }}
          action={
            rights.permitsSomewhere('users:unlock') && (
              <Button
                color="inherit"
                startIcon={<LockOpen size={17} aria-hidden />}
                onClick={unlock}
              >
                {texts('account.unlock')}
              </Button>
            )
          }
        >
          {texts('account.locked', { date: showDate(lockedUntil) })}
        </Alert>
      )}
      <Stack
        direction="row"
        useFlexGap
        spacing={1.5}
        sx={{ flexWrap: 'wrap', alignItems: 'center' }}
      >
        {invites && <InviteButtons user={user} onInvited={onInvited} />}
        {previews && (
          <Button
            variant="outlined"
            component={Link}
            to={`/view-as?user=${user.id}`}
            startIcon={<Eye size={17} aria-hidden />}
          >
            {texts('account.view-as')}
          </Button>
        )}
        {resetsSecondStep && <SecondStepResetButton user={user} />}
        {invites && (
          <Typography variant="body2" color="textSecondary">
            {texts('account.invite.help')}
          </Typography>
        )}
      </Stack>
    </Section>
  );
}
