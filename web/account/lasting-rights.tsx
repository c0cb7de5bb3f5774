import { CalendarOff, type LucideIcon, Plug, Radio } from 'lucide-react';
import { useRef, useState } from 'react';
import { get, patch, query, send } from '../api-client/api.js';
import type { Absence, Ref } from '../api-client/types.js';
import { useLoad } from '../api-client/use-load.js';
import { type AccountPage, useAccountPage } from './account-page.js';
import type { AccountTextKey } from './account-texts.js';
import { useAction } from './use-action.js';

/** A right that others have because of an account, whatever its password is. */
interface LastingRight {
  uri: string;
  icon: LucideIcon;
  title: string;
  details: string;
  /** What ends it. */
  action: AccountTextKey;
  end: () => Promise<unknown>;
}

/**
 * After a new password, lists what outlives it: absences with their substitutes and, for administrators, the sources
 * and endpoints of the account (docs/api-contract.md#what-outlives-a-password). It does not open without any.
 * @param resets the number of new passwords and invitations since the page opened; each opens it again
 */
export function LastingRightsDialog({ resets }: { resets: number }) {
  const page = useAccountPage();
  const { userId, texts, explain, changes, elements } = page;
  const { Dialog, Rows, Row, Button, Hint, Fault } = elements;
  const { problem, act } = useAction();
  const [closed, setClosed] = useState(0);
  /** The reset after which there were entries to list: the dialog stays open when the last of them has ended. */
  const [opened, setOpened] = useState(0);
  const close = useRef<HTMLButtonElement>(null);
  const { value: rights = [] } = useLoad(`lasting ${userId} ${resets} ${changes}`, (signal) =>
    resets === 0 ? Promise.resolve([]) : rightsOf(page, signal),
  );
  if (rights.length > 0 && opened < resets) setOpened(resets);
  const end = async (right: LastingRight) => {
    // The pressed button disappears with its right.
    if (await act(right.end, texts('lasting.ended'))) close.current?.focus();
  };
  return (
    <Dialog
      title={texts('lasting')}
      isOpen={opened === resets && closed < resets}
      onClose={() => setClosed(resets)}
      actions={
        <Button ref={close} onClick={() => setClosed(resets)}>
          {texts('lasting.close')}
        </Button>
      }
    >
      <Hint>{texts(rights.length > 0 ? 'lasting.lead' : 'lasting.none')}</Hint>
      <Fault text={problem && explain(problem)} />
      <Rows>
        {rights.map((right) => {
          const { uri, icon, title, details, action } = right;
          return (
            <Row
              key={uri}
              icon={icon}
              title={title}
              details={details}
              action={
                <Button
                  isSmall
                  label={`${texts(action)}: ${title}`}
                  onClick={() => void end(right)}
                >
                  {texts(action)}
                </Button>
              }
            />
          );
        })}
      </Rows>
    </Dialog>
  );
}

/** The absences that have not ended, and what administrators see of programs that work for the account. */
async function rightsOf(page: AccountPage, signal: AbortSignal): Promise<LastingRight[]> {
  const { userId, isOwn } = page;
  const list = <T,>(path: string, ...filters: string[]) =>
    get<T[]>(`/api/v2/process/${path}${query({ filters, range: '0-100' })}`, signal);
  const absences = await list<Absence>(
    'absences',
    `user:eq:${userId}`,
    `endDate:gt:${new Date().toISOString()}`,
  );
  const rights = absences.map((absence) => ofAbsence(absence, page));
  if (isOwn) return rights;
  const sources = await list<Ref>('sources', `serviceAccount:eq:${userId}`);
  const endpoints = await list<Ref>('endpoints', `account:eq:${userId}`, 'status:eq:active');
  return [
    ...rights,
    ...sources.map((source) => ofProgram(source, 'source', page)),
    ...endpoints.map((endpoint) => ofProgram(endpoint, 'endpoint', page)),
  ];
}

const ofAbsence = (
  { uri, substitute, startDate, endDate, creationDate, applicationTitle }: Absence,
  { texts, showDate }: AccountPage,
): LastingRight => ({
  uri,
  icon: CalendarOff,
  title: texts('lasting.absence', { name: substitute.label }),
  details: [
    `${showDate(startDate)} – ${showDate(endDate)}`,
    ...(applicationTitle === null ? [] : [applicationTitle]),
    texts('lasting.entered', { date: showDate(creationDate) }),
  ].join(' · '),
  action: 'lasting.absence.end',
  end: () => send(`/api/v2${uri}`, { method: 'DELETE' }),
});

/** Ends the right of a program without deleting objects that refer to it. */
const ENDS = {
  source: { path: '/serviceAccount', value: null },
  endpoint: { path: '/status', value: 'paused' },
};

const ofProgram = (
  { uri, label }: Ref,
  kind: keyof typeof ENDS,
  { texts }: AccountPage,
): LastingRight => ({
  uri,
  icon: kind === 'source' ? Plug : Radio,
  title: label,
  details: texts(`lasting.${kind}`),
  action: `lasting.${kind}.end`,
  end: () => patch(`/api/v2${uri}`, [{ op: 'replace', ...ENDS[kind] }]),
});
