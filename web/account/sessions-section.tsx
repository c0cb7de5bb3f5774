import { LogOut, type LucideIcon, Monitor, Smartphone, Terminal } from 'lucide-react';
import { useRef } from 'react';
import { send } from '../api-client/api.js';
import type { Session } from '../api-client/types.js';
import { useAccountPage } from './account-page.js';
import { type Device, deviceOf } from './device.js';
import { useAction } from './use-action.js';
import { useSessions } from './use-sessions.js';

/**
 * The sessions of a user, and buttons that end one or all. Where the caller's own session is among them,
 * the next call answers 401 and the page asks to sign in.
 */
export function SessionsSection() {
  const { userId, texts, explain, elements } = useAccountPage();
  const { Section, Rows, Button, Fault, Pending } = elements;
  const { problem, act } = useAction();
  const all = useRef<HTMLButtonElement>(null);
  const path = `/api/v2/directory/users/${userId}/tokens`;
  const loaded = useSessions(path);
  const end = async (address: string) => {
    const isDone = await act(() => send(address, { method: 'DELETE' }), texts('sessions.ended'));
    // The pressed button disappears with its session; the focus moves to one that stays.
    if (isDone) all.current?.focus();
  };
  const { value } = loaded;
  return (
    <Section
      title={texts('sessions')}
      lead={value && texts('sessions.lead', { smart_count: value.total })}
      actions={
        <Button ref={all} onClick={() => void end(path)}>
          {texts('sessions.end-all')}
        </Button>
      }
    >
      <Fault text={problem && explain(problem)} />
      {loaded.problem || value === undefined ? (
        <Pending problem={loaded.problem} onRetry={loaded.reload} />
      ) : (
        <Rows>
          {value.sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isThis={session.id === value.own}
              onEnd={() => void end(`${path}/${session.id}`)}
            />
          ))}
        </Rows>
      )}
    </Section>
  );
}

/** One session: a browser with all of its tabs, or the token of a program, perhaps of one that acts for the person. */
function SessionRow({
  session: { address, agent, creationDate, expiration, lastUseDate, userAgent },
  isThis,
  onEnd,
}: {
  session: Session;
  isThis: boolean;
  onEnd: () => void;
}) {
  const { texts, showDate, elements } = useAccountPage();
  const { Row, Button, Chip } = elements;
  const since = { date: showDate(creationDate) };
  const device = deviceOf(userAgent);
  const nameOf = (): string => {
    if (agent) return texts('sessions.agent', { name: agent.label });
    if (!device) return texts('sessions.other');
    return texts('sessions.device', { browser: device.browser, system: device.system });
  };
  const use =
    lastUseDate === null
      ? texts('sessions.until', { date: showDate(expiration) })
      : texts('sessions.used', { date: showDate(lastUseDate) });
  return (
    <Row
      icon={iconOf(device)}
      title={
        <>
          {nameOf()}
          {isThis && <Chip text={texts('sessions.this')} />}
        </>
      }
      details={[address ?? '–', texts('sessions.since', since), use].join(' · ')}
      action={
        <Button icon={LogOut} isSmall label={texts('sessions.end-one', since)} onClick={onEnd}>
          {texts('sessions.end')}
        </Button>
      }
    />
  );
}

function iconOf(device: Device | undefined): LucideIcon {
  if (!device) return Terminal;
  return device.isHandheld ? Smartphone : Monitor;
}
