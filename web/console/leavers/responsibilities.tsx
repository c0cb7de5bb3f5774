import { Box, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { get } from '../../api-client/api.js';
import type { Responsibilities } from '../../api-client/types.js';
import { Pending } from '../layout/page.js';
import { useRights } from '../session/app-context.js';
import type { TextKey } from '../translations/en.js';
import { type Texts, useTexts } from '../translations/i18n.js';
import { HandoverForm } from './handover.js';

const pathOf = (userId: string): string => `/api/v2/directory/users/${userId}/responsibilities`;

/** What a user would leave behind (docs/api-contract.md#people-who-leave). @throws ApiProblem */
export const readResponsibilities = (
  userId: string,
  signal?: AbortSignal,
): Promise<Responsibilities> => get<Responsibilities>(pathOf(userId), signal);

/** The numbers that are not zero. */
const open = (numbers: Responsibilities): [name: string, count: number][] =>
  Object.entries(numbers).filter(([, count]) => count > 0);

export const isFree = (numbers: Responsibilities): boolean => open(numbers).length === 0;

/** `12 open tasks`; the name itself for one that the page does not know. */
export function responsibility(name: string, count: number, texts: Texts): string {
  const key = `leaving.${name}`;
  const text = texts(key as TextKey, { smart_count: count });
  return text === key ? `${name}: ${count}` : text;
}

/** What waits for a user and is in the name of the user, and who could have it instead. */
export function ResponsibilitiesOf({ userId }: { userId: string }) {
  const texts = useTexts();
  const rights = useRights();
  const { data, error, refetch } = useQuery({
    queryKey: ['api', pathOf(userId)],
    queryFn: ({ signal }) => readResponsibilities(userId, signal),
  });
  if (!data) return <Pending error={error} onRetry={() => void refetch()} />;
  const movable = data.openTasks + data.candidatures + data.substitutions;
  return (
    <>
      {isFree(data) && <Typography color="textSecondary">{texts('leaving.nothing')}</Typography>}
      <Box component="ul" sx={{ pl: 2.5, my: 0, listStyle: 'disc' }}>
        {open(data).map(([name, count]) => (
          <li key={name}>{responsibility(name, count, texts)}</li>
        ))}
      </Box>
      {movable > 0 && rights.assignsTasks && <HandoverForm userId={userId} />}
    </>
  );
}
