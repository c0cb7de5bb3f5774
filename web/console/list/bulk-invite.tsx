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
import { useGetMany, useNotify } from 'react-admin';
import { sendsMail } from '../../api-client/mail.js';
import {
  type Delivery,
  invitationLink,
  type InvitationResult,
  inviteUsers,
} from '../account/invitations.js';
import type { Item } from '../api/data-provider.js';
import { useAction } from '../api/use-api.js';
import { downloadCsv } from '../csv/download.js';
import { useTexts } from '../translations/i18n.js';

/** Invites people. If a call fails, the earlier results count, and the next attempt continues with the rest. */
function useBulkInvite(ids: string[]) {
  const texts = useTexts();
  const notify = useNotify();
  const act = useAction();
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<InvitationResult[]>([]);
  /** The people with results from an interrupted attempt. */
  const [done, setDone] = useState<string[]>([]);
  const rest = ids.filter((id) => !done.includes(id));
  const isInterrupted = rest.length > 0 && rest.length < ids.length;
  const waiting = isInterrupted ? rest : ids;
  const close = () => {
    setOpen(false);
    setFailed([]);
  };
  const record = async (results: InvitationResult[], delivery: Delivery) => {
    if (results.length === 0) return;
    if (delivery === 'link') await downloadLinks(results);
    const problems = results.filter(({ problem }) => problem !== null);
    const count = results.length - problems.length;
    notify(texts('invite.done', { smart_count: count }), { type: 'success' });
    const isComplete = results.length === waiting.length;
    setDone(isComplete ? [] : [...done, ...results.map(({ id }) => id)]);
    const allProblems = isInterrupted ? [...failed, ...problems] : problems;
    setFailed(allProblems);
    if (isComplete && allProblems.length === 0) close();
  };
  const invite = (delivery: Delivery) =>
    void act(async () => {
      const results: InvitationResult[] = [];
      setBusy(true);
      try {
        for await (const some of inviteUsers(waiting, delivery)) results.push(...some);
      } finally {
        setBusy(false);
        await record(results, delivery);
      }
    });
  const open = () => setOpen(true);
  return { isOpen, isBusy, open, close, invite, failed, waiting, isInterrupted };
}

/** Invites several users: by mail, or by a file of links to hand over. */
export function BulkInvite({ ids, label }: { ids: string[]; label: string }) {
  const texts = useTexts();
  const { isOpen, isBusy, open, close, invite, failed, waiting, isInterrupted } =
    useBulkInvite(ids);
  return (
    <>
      <Button startIcon={<Mail size={17} aria-hidden />} onClick={open}>
        {label}
      </Button>
      <Dialog open={isOpen} onClose={close} fullWidth maxWidth="sm" aria-labelledby="bulk-invite">
        <DialogTitle id="bulk-invite">
          {texts('invite.title', { smart_count: waiting.length })}
        </DialogTitle>
        <DialogContent>
          <DialogContentText>{texts('invite.lead')}</DialogContentText>
          {isInterrupted && <Rest ids={waiting} />}
          <Problems failed={failed} />
        </DialogContent>
        <DialogActions>
          <Button onClick={close}>
            {texts(failed.length > 0 || isInterrupted ? 'close' : 'cancel')}
          </Button>
          <Button
            startIcon={<Download size={17} aria-hidden />}
            disabled={isBusy}
            onClick={() => invite('link')}
          >
            {texts('invite.links')}
          </Button>
          {sendsMail && (
            <Button
              variant="contained"
              startIcon={<Mail size={17} aria-hidden />}
              disabled={isBusy}
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

/** The people that an interrupted attempt did not reach. */
function Rest({ ids }: { ids: string[] }) {
  const texts = useTexts();
  const { data = [] } = useGetMany<Item & { login: string }>('users', { ids });
  const logins = new Map(data.filter(Boolean).map(({ id, login }) => [id, login]));
  return (
    <Alert severity="warning" sx={{ mt: 2 }}>
      {texts('invite.rest', { smart_count: ids.length })}
      <ul>
        {ids.map((id) => (
          <li key={id}>{logins.get(id) ?? id}</li>
        ))}
      </ul>
    </Alert>
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
