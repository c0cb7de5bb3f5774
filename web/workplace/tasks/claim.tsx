import { Hand, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { post } from '../../api-client/api.js';
import type { TaskDetailed } from '../../api-client/types.js';
import { toProblem } from '../../api-client/use-load.js';
import { translate } from '../../server-messages/translate.js';
import { useToast } from '../components/toast.js';
import { useLanguage } from '../translations/i18n.js';
import { useMe } from '../workplace-context.js';

/**
 * Claims a task that waits for several people, or releases it.
 * @param leave called when the person no longer sees the task
 */
export function Claim({
  task,
  changed,
  leave,
}: {
  task: TaskDetailed;
  changed: () => unknown;
  leave: () => void;
}) {
  const { t, locale, problem } = useLanguage();
  const { me } = useMe();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const { status, assignee, group, candidates } = task;
  if (status !== 'open' || (group === null && candidates.length === 0)) return null;
  const mine = [me.uri, ...me.groups.map(({ uri }) => uri)];
  const isMine = assignee?.id === me.id;
  const isForMe = [...candidates, ...(group ? [group] : [])].some(({ uri }) => mine.includes(uri));
  const isFree = assignee === null && isForMe;
  if (!isMine && !isFree) return null;
  const call = async () => {
    setBusy(true);
    try {
      await post(`/api/v2${task.uri}/${isMine ? 'release' : 'claim'}`);
      toast({ text: t(isMine ? 'task.released' : 'task.claimed', { title: task.title }) });
      // The page does not reload the task, because the answer would be a 404.
      if (isMine && !isForMe && !me.administrator) return leave();
    } catch (error) {
      const refusal = toProblem(error);
      // A conflict names the person who was faster.
      const said = refusal.status === 409 && (translate(refusal, locale) ?? refusal.message);
      toast({ text: said || problem(refusal), isRefusal: true });
    }
    await changed();
    setBusy(false);
  };
  return (
    <button className="button" disabled={isBusy} onClick={() => void call()}>
      {isMine ? <Undo2 aria-hidden /> : <Hand aria-hidden />}{' '}
      {t(isMine ? 'task.release' : 'task.claim')}
    </button>
  );
}
