import { useState } from 'react';
import { Box, Typography } from '@mui/material';
import { RotateCcw } from 'lucide-react';
import { ExpandableRow, IconAction, RowHead } from '../components/rows.js';
import { codeLabel, Status, useDates } from '../components/value.js';
import { RefLink } from '../form/fact.js';
import { useTexts } from '../translations/i18n.js';
import type { Attempt, Delivery, Result } from './delivery.js';

/** Describes the result of an attempt. */
export function useDescribedAttempt(): (attempt: Result | undefined) => string {
  const texts = useTexts();
  return (attempt) => {
    if (!attempt) return texts('deliveries.noAnswer');
    const { status, message } = attempt;
    const parts = [status === null ? null : texts('deliveries.status', { status }), message];
    return parts.filter((part) => part !== null).join(', ') || texts('deliveries.noAnswer');
  };
}

/** A delivery with its attempts. A delivered or failed one can be sent again. */
export function DeliveryRow({ delivery, onReplay }: { delivery: Delivery; onReplay?: () => void }) {
  const texts = useTexts();
  const showDate = useDates();
  const [isOpen, setOpen] = useState(false);
  const describe = useDescribedAttempt();
  const { id, task, kind, revision, status, attempts, nextAttemptDate, log } = delivery;
  const hasFailed = attempts > 0 && log.length > 0 && status !== 'delivered';
  const facts = [
    showDate(delivery.creationDate),
    texts('deliveries.attempt', { smart_count: attempts }),
    ...(status === 'waiting' && nextAttemptDate !== null && attempts > 0
      ? [texts('deliveries.next', { date: showDate(nextAttemptDate) })]
      : []),
    ...(delivery.worker === null ? [] : [delivery.worker]),
    ...(hasFailed ? [describe(log.at(-1))] : []),
  ];
  return (
    <ExpandableRow
      label={texts('deliveries.show', { id })}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
      details={log.length > 0 && <Attempts log={log} />}
      action={
        onReplay &&
        (status === 'delivered' || status === 'failed') && (
          <IconAction
            icon={RotateCcw}
            label={texts('deliveries.replay', { id })}
            onClick={onReplay}
          />
        )
      }
    >
      <RowHead>
        <Status
          kind={`deliveries.status.${status}`}
          label={codeLabel('deliveries', 'status', status, texts)}
        />
        <Typography component="span" sx={{ fontWeight: 570 }}>
          {kind}
        </Typography>
        {task === null ? texts('deliveries.test') : <RefLink to={task} />}
        {revision !== null && <span>#{revision}</span>}
      </RowHead>
      <Typography variant="body2" color="textSecondary">
        {facts.join(' · ')}
      </Typography>
    </ExpandableRow>
  );
}

function Attempts({ log }: { log: Attempt[] }) {
  const texts = useTexts();
  const showDate = useDates();
  const describe = useDescribedAttempt();
  return (
    <Box component="ol" aria-label={texts('deliveries.attempts')} sx={{ pl: 2.5, my: 0.75 }}>
      {log.map((attempt) => (
        <Box
          component="li"
          key={attempt.attemptDate}
          sx={{ overflowWrap: 'anywhere', fontSize: '0.85rem' }}
        >
          {[
            showDate(attempt.attemptDate),
            describe(attempt),
            ...(attempt.duration === null
              ? []
              : [texts('deliveries.duration', { duration: attempt.duration })]),
            ...(attempt.answer === undefined ? [] : [attempt.answer]),
          ].join(' · ')}
        </Box>
      ))}
    </Box>
  );
}
