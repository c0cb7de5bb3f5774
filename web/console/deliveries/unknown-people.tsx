import { useState } from 'react';
import { Box, Button, Link as MuiLink, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { get } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { Row, Rows } from '../components/rows.js';
import { useDates } from '../components/value.js';
import { RefLink } from '../form/fact.js';
import { Pending, Section } from '../layout/page.js';
import { useTexts } from '../translations/i18n.js';

/** A person or group that a source has named and the directory does not know (docs/api-contract.md#unknown-people). */
interface UnknownName {
  name: string;
  /** The user or group that has the name by now, because an administrator has added it. */
  known: Ref | null;
  /** Whether the name belongs to a user who cannot sign in. */
  inactive: boolean;
  count: number;
  oldestWaitingDate: string;
  /** Some of the tasks, the oldest first. */
  tasks: (Ref & { externalId: string })[];
}

/** How many names the page shows at first, and adds each time. */
const STEP = 20;

/** The unknown names in open tasks of a source, and these tasks. */
export function UnknownPeople({ source }: { source: Item }) {
  const texts = useTexts();
  const [count, setCount] = useState(STEP);
  const path = `/api/v2/process/sources/${source.id}/unknown`;
  const { data, error, refetch } = useQuery({
    queryKey: ['api', path],
    queryFn: ({ signal }) => get<UnknownName[]>(`${path}?range=0-500`, signal),
  });
  const group = source.fallbackGroup as Ref | null;
  return (
    <Section
      title={texts('unknown.title')}
      lead={data && data.length > 0 && texts('unknown.lead')}
      actions={data && data.length > 0 && group && <TasksOfGroup source={source} group={group} />}
    >
      {data ? (
        <>
          <Rows>
            {data.slice(0, count).map((unknown) => (
              <Unknown key={unknown.name} unknown={unknown} />
            ))}
          </Rows>
          {data.length === 0 && <p>{texts('unknown.none')}</p>}
          {data.length > count && (
            <Button onClick={() => setCount(count + STEP)}>{texts('unknown.more')}</Button>
          )}
        </>
      ) : (
        <Pending error={error} onRetry={() => void refetch()} />
      )}
    </Section>
  );
}

/** The list of the source's open tasks in its fallback group. */
function TasksOfGroup({ source, group }: { source: Item; group: Ref }) {
  const texts = useTexts();
  const filter = JSON.stringify({
    'source@eq': source.uri,
    'group@eq': group.uri,
    'status@eq': 'open',
  });
  return (
    <MuiLink component={Link} to={`/tasks?filter=${encodeURIComponent(filter)}`}>
      {texts('unknown.group')}
    </MuiLink>
  );
}

function Unknown({
  unknown: { name, known, inactive, count, oldestWaitingDate, tasks },
}: {
  unknown: UnknownName;
}) {
  const texts = useTexts();
  const showDate = useDates();
  const rest = count - tasks.length;
  return (
    <Row action={null}>
      <Box sx={{ overflowWrap: 'anywhere' }}>
        <strong>{name}</strong>
        <Typography variant="body2" color="textSecondary">
          {texts('unknown.waiting', { smart_count: count, date: showDate(oldestWaitingDate) })}
        </Typography>
        {inactive && <Typography variant="body2">{texts('unknown.inactive')}</Typography>}
        {known !== null && (
          <Typography variant="body2" sx={{ color: 'success.main' }}>
            {texts('unknown.known', { name: known.label })}
          </Typography>
        )}
        <Box component="ul" aria-label={name} sx={{ pl: 2.5, my: 0.5, listStyle: 'disc' }}>
          {tasks.map((task) => (
            <li key={task.uri}>
              <RefLink to={task} />{' '}
              <Typography component="span" variant="body2" color="textSecondary">
                {task.externalId}
              </Typography>
            </li>
          ))}
          {rest > 0 && <li>{texts('unknown.rest', { smart_count: rest })}</li>}
        </Box>
      </Box>
    </Row>
  );
}
