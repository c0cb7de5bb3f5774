import { useState } from 'react';
import { Alert, Box, Button, MenuItem, TextField } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { get, query } from '../../api-client/api.js';
import type { Ref } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { useAction, useApiPage } from '../api/use-api.js';
import { RefPicker } from '../components/ref-picker.js';
import { Rows } from '../components/rows.js';
import { codeLabel, useDates } from '../components/value.js';
import { Pending, Section } from '../layout/page.js';
import { useTexts } from '../translations/i18n.js';
import { deliveriesOf, type Delivery, type EndpointFacts } from './delivery.js';
import { DeliveryRow, useDescribedAttempt } from './delivery-row.js';
import { replay, type ReplayOrder } from './replay.js';
import { ReplayTime } from './replay-time.js';
import { type TaskFacts, whyNot } from './why-not.js';
import { useRights } from '../session/app-context.js';

const STATES = ['waiting', 'leased', 'delivered', 'failed'];

/** How many deliveries the page shows at first, and adds each time. */
const STEP = 20;

/** The deliveries of an endpoint by state and task, the reason why a task did not arrive, and manual repetitions. */
export function EndpointDeliveries({ endpoint }: { endpoint: Item }) {
  const texts = useTexts();
  const act = useAction();
  const [state, setState] = useState('');
  const [task, setTask] = useState<Ref | null>(null);
  const [count, setCount] = useState(STEP);
  const filters = [
    ...(state === '' ? [] : [`status:eq:${state}`]),
    ...(task === null ? [] : [`task:eq:${task.id}`]),
  ];
  const path = `${deliveriesOf(endpoint.id)}${query({ range: `0-${count}`, sorter: '-id', filters })}`;
  const { data, error, refetch } = useApiPage<Delivery>(path);
  const sendAgain = (order: ReplayOrder) =>
    void act(
      () => replay(endpoint.id, order),
      texts('deliveries.replayed', {
        smart_count: 'deliveries' in order ? 1 : Number(endpoint.failedCount),
      }),
    );
  const mayChange = useRights().permits('endpoints:change');
  return (
    <Section
      title={texts('deliveries.title')}
      lead={texts('deliveries.lead')}
      actions={
        mayChange && (
          <>
            <ReplayTime endpointId={endpoint.id} />
            {Number(endpoint.failedCount) > 0 && (
              <Button
                startIcon={<RotateCcw size={17} aria-hidden />}
                onClick={() => sendAgain({ failed: true })}
              >
                {texts('deliveries.replayFailed')}
              </Button>
            )}
          </>
        )
      }
    >
      <Filters state={state} onState={setState} task={task} onTask={setTask} />
      {task && <WhyNot endpoint={endpoint} task={task} />}
      {data ? (
        <>
          <Rows>
            {data.items.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                onReplay={mayChange ? () => sendAgain({ deliveries: [delivery.id] }) : undefined}
              />
            ))}
          </Rows>
          {data.items.length === 0 && <p>{texts('deliveries.none')}</p>}
          {data.hasNext && (
            <Button onClick={() => setCount(count + STEP)}>{texts('deliveries.more')}</Button>
          )}
        </>
      ) : (
        <Pending error={error} onRetry={() => void refetch()} />
      )}
    </Section>
  );
}

function Filters({
  state,
  onState,
  task,
  onTask,
}: {
  state: string;
  onState: (state: string) => void;
  task: Ref | null;
  onTask: (task: Ref | null) => void;
}) {
  const texts = useTexts();
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 1.5,
        mb: 1.5,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '220px minmax(0, 460px)' },
      }}
    >
      <TextField
        select
        label={texts('deliveries.state')}
        value={state}
        onChange={({ target }) => onState(target.value)}
      >
        <MenuItem value="">{texts('deliveries.any')}</MenuItem>
        {STATES.map((code) => (
          <MenuItem key={code} value={code}>
            {codeLabel('deliveries', 'status', code, texts)}
          </MenuItem>
        ))}
      </TextField>
      <RefPicker
        targets={['tasks']}
        label={texts('deliveries.task')}
        value={task}
        onChange={onTask}
      />
    </Box>
  );
}

/** Explains why the changes of a task have not arrived at the engine. */
function WhyNot({ endpoint, task }: { endpoint: Item; task: Ref }) {
  const texts = useTexts();
  const showDate = useDates();
  const describe = useDescribedAttempt();
  const path = `${deliveriesOf(endpoint.id)}${query({ range: '0-50', sorter: '-id', filters: [`task:eq:${task.id}`] })}`;
  const { data: page } = useApiPage<Delivery>(path);
  const { data: facts } = useQuery({
    queryKey: ['why', task.id],
    queryFn: ({ signal }) => get<TaskFacts>(`/api/v2/process/tasks/${task.id}`, signal),
  });
  if (!page || !facts) return null;
  const known = endpoint as unknown as EndpointFacts;
  const reasons = whyNot(known, facts, page.items, describe);
  return (
    <Alert severity="info" sx={{ mb: 1.5 }} role="status">
      {reasons.map(({ text, dates, values }) => (
        <div key={text}>
          {texts(text, { ...values, ...(dates && { date: showDate(dates.date) }) })}
        </div>
      ))}
    </Alert>
  );
}
