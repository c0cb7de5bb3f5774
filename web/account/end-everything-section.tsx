import { useState } from 'react';
import { forgetSession } from '../api-client/session.js';
import { useAccountPage } from './account-page.js';
import { endEverything } from './end-everything.js';
import { useAction } from './use-action.js';

/** Closes every way into an account, and to its tasks, except the password: another person may have used the account. */
export function EndEverythingSection() {
  const { texts, elements } = useAccountPage();
  const { Section, Button } = elements;
  const [isAsked, setAsked] = useState(false);
  return (
    <Section
      title={texts('end')}
      lead={texts('end.lead')}
      actions={
        <Button kind="danger" onClick={() => setAsked(true)}>
          {texts('end')}
        </Button>
      }
    >
      <EndDialog isOpen={isAsked} onClose={() => setAsked(false)} />
    </Section>
  );
}

/** Names what ends, and ends it on confirmation. */
function EndDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { userId, isOwn, texts, explain, elements } = useAccountPage();
  const { Button, Dialog, Hint, Fault } = elements;
  const { problem, act } = useAction();
  const end = async () => {
    const isDone = await act(
      async () => {
        await endEverything(userId);
        // The caller's session ended, too.
        if (isOwn) forgetSession();
      },
      isOwn ? undefined : texts('end.done'),
    );
    if (isDone) onClose();
  };
  return (
    <Dialog
      title={texts('end.sure')}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button autoFocus onClick={onClose}>
            {texts('cancel')}
          </Button>
          <Button kind="danger" onClick={() => void end()}>
            {texts('end')}
          </Button>
        </>
      }
    >
      <p>{texts('end.what')}</p>
      <ul className="bullets">
        <li>{texts('end.sessions')}</li>
        <li>{texts('end.keys')}</li>
        <li>{texts('end.invitation')}</li>
        <li>{texts('end.identities')}</li>
        <li>{texts('end.absences')}</li>
      </ul>
      <Hint>{texts('end.password')}</Hint>
      {isOwn && <Hint>{texts('end.own')}</Hint>}
      <Fault text={problem && explain(problem)} />
    </Dialog>
  );
}
