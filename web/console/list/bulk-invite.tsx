import { useState } from 'react';
import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
} from '@mui/material';
import { Download, Mail } from 'lucide-react';
import { useNotify } from 'react-admin';
import { sendsMail } from '../../api-client/mail.js';
import {
  type Delivery,
  invitationLink,
  type InvitationResult,
  inviteUsers,
} from '../account/invitations.js';
import { useAction } from '../api/use-api.js';
import { downloadCsv } from '../csv/download.js';
import { useTexts } from '../translations/i18n.js';

/** Invites several users: by mail, or by a file of links to hand over. */
export function BulkInvite({ ids, label }: { ids: string[]; label: string }) {
  const texts = useTexts();
  const notify = useNotify();
  const act = useAction();
  const [isOpen, setOpen] = useState(false);
  const [failed, setFailed] = useState<InvitationResult[]>([]);
  const close = () => {
    setOpen(false);
    setFailed([]);
  };
  const invite = (delivery: Delivery) =>
    void act(async () => {
      const results = await inviteUsers(ids, delivery);
      if (delivery === 'link') await downloadLinks(results);
      const problems = results.filter(({ problem }) => problem !== null);
      const done = results.length - problems.length;
      notify(texts('invite.done', { smart_count: done }), { type: 'success' });
      setFailed(problems);
      if (problems.length === 0) close();
    });
  return (
    <>
      <Button startIcon={<Mail size={17} aria-hidden />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog open={isOpen} onClose={close} fullWidth maxWidth="sm" aria-labelledby="bulk-invite">
        <DialogTitle id="bulk-invite">
          {texts('invite.title', { smart_count: ids.length })}
        </DialogTitle>
        <DialogContent>
          <DialogContentText>{texts('invite.lead')}</DialogContentText>
          <Problems failed={failed} />
        </DialogContent>
        <DialogActions>
          <Button onClick={close}>{texts(failed.length > 0 ? 'close' : 'cancel')}</Button>
          <Button startIcon={<Download size={17} aria-hidden />} onClick={() => invite('link')}>
            {texts('invite.links')}
          </Button>
          {sendsMail && (
            <Button
              variant="contained"
              startIcon={<Mail size={17} aria-hidden />}
              onClick={() => invite('mail')}
            >
              {texts('invite.mail')}
            </Button>
          )}
        </DialogActions>
      </Dialog>
    </>
  );
}

function Problems({ failed }: { failed: InvitationResult[] }) {
  const texts = useTexts();
  if (failed.length === 0) return null;
  return (
    <Alert severity="error" sx={{ mt: 2 }}>
      {texts('invite.failed')}
      <ul>
        {failed.map(({ id, login, problem }) => (
          <li key={id}>
            <strong>{login ?? id}</strong>: {problem && texts(`invite.problem.${problem}`)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

const downloadLinks = (results: InvitationResult[]): Promise<void> =>
  downloadCsv('invitations.csv', [
    ['login', 'link'],
    ...results.flatMap(({ login, code }) =>
      code === null ? [] : [[login ?? '', invitationLink(code)]],
    ),
  ]);
