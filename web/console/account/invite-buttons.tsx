import { useState } from 'react';
import { Button } from '@mui/material';
import { Link2, Mail } from 'lucide-react';
import { useNotify } from 'react-admin';
import { sendsMail } from '../../api-client/mail.js';
import type { Item } from '../api/data-provider.js';
import { useAction } from '../api/use-api.js';
import { useDates } from '../components/value.js';
import { useTexts } from '../translations/i18n.js';
import { type Delivery, invitationLink, type InvitationResult, inviteUser } from './invitations.js';
import { OneTimeSecret } from './one-time-secret.js';

/**
 * The buttons that invite a user: by mail, where the server sends any, or by a link to hand over.
 * @param onInvited runs after the mail was queued, or the link was shown
 */
export function InviteButtons({ user, onInvited }: { user: Item; onInvited: () => void }) {
  const texts = useTexts();
  const act = useAction();
  const notify = useNotify();
  const showDate = useDates();
  const [shown, setShown] = useState<InvitationResult>();
  const invite = (delivery: Delivery, tell: (result: InvitationResult) => void) =>
    void act(async () => {
      const result = await inviteUser(user.id, delivery);
      const { problem } = result;
      if (problem) notify(texts(`invite.problem.${problem}`), { type: 'error' });
      else tell(result);
    });
  const createLink = () => invite('link', setShown);
  const sendMail = () =>
    invite('mail', ({ mailedTo }) => {
      notify(texts('account.mail.sent', { address: mailedTo ?? '' }), { type: 'success' });
      onInvited();
    });
  return (
    <>
      {sendsMail && user.email !== null && (
        <Button variant="outlined" startIcon={<Mail size={17} aria-hidden />} onClick={sendMail}>
          {texts('account.mail')}
        </Button>
      )}
      <Button variant="outlined" startIcon={<Link2 size={17} aria-hidden />} onClick={createLink}>
        {texts('account.invite')}
      </Button>
      <OneTimeSecret
        icon={Link2}
        title={texts('account.link')}
        text={
          shown?.expiration
            ? texts('account.link.text', { date: showDate(shown.expiration) })
            : undefined
        }
        secret={shown?.code ? invitationLink(shown.code) : undefined}
        onClose={() => {
          setShown(undefined);
          onInvited();
        }}
      />
    </>
  );
}
