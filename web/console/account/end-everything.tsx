import {
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
} from '@mui/material';
import type { Act } from '../../account/act.js';
import { useEndEverything } from '../../account/use-end-everything.js';
import { useTexts } from '../translations/i18n.js';
import { useNotifyError } from '../components/use-notify-error.js';
import { Section } from '../layout/page.js';
import { useAppContext } from '../session/app-context.js';
import { useAction } from '../api/use-api.js';

/** Closes every way into an account but its password, for when somebody else may have found one. */
export function EndEverything({ userId }: { userId: string }) {
  const texts = useTexts();
  const act = useAction();
  const notifyError = useNotifyError();
  const isOwn = useAppContext().session.user.id === userId;
  /** Of one's own account, the page can ask for nothing again. */
  const actAndLeave: Act = (work) =>
    work().then(
      () => true,
      (error: unknown) => {
        notifyError(error);
        return false;
      },
    );
  const { isAsked, isBusy, ask, cancel, end } = useEndEverything(userId, {
    isOwn,
    act: isOwn ? actAndLeave : act,
    said: texts('end.done'),
  });
  return (
    <Section
      title={texts('end')}
      lead={texts('end.lead')}
      actions={
        <Button color="error" variant="outlined" onClick={ask}>
          {texts('end')}
        </Button>
      }
    >
      <Dialog open={isAsked} onClose={cancel} maxWidth="xs" fullWidth aria-labelledby="end">
        <DialogTitle id="end">{texts('end.sure')}</DialogTitle>
        <DialogContent>
          <DialogContentText>{texts('end.what')}</DialogContentText>
          <Box component="ul" sx={{ my: 1, pl: 3, listStyle: 'disc' }}>
            <li>{texts('end.sessions')}</li>
            <li>{texts('end.keys')}</li>
            <li>{texts('end.invitation')}</li>
            <li>{texts('end.identities')}</li>
          </Box>
          <DialogContentText>{texts('end.password')}</DialogContentText>
          {isOwn && <DialogContentText sx={{ mt: 1 }}>{texts('end.own')}</DialogContentText>}
        </DialogContent>
        <DialogActions>
          <Button onClick={cancel} autoFocus>
            {texts('cancel')}
          </Button>
          <Button color="error" variant="contained" disabled={isBusy} onClick={() => void end()}>
            {texts('end')}
          </Button>
        </DialogActions>
      </Dialog>
    </Section>
  );
}
