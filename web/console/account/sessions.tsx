import { Button, Typography } from '@mui/material';
import { LogOut } from 'lucide-react';
import { sessionsOf } from '../../account/sessions.js';
import { query } from '../../api-client/api.js';
import type { Session } from '../../api-client/types.js';
import { useTexts } from '../translations/i18n.js';
import { Pending, Section } from '../layout/page.js';
import { Row, Rows } from '../components/rows.js';
import { useAction, useApiPage } from '../api/use-api.js';
import { useDates } from '../components/value.js';

/** The tokens that a user has: since when, until when, from where; ended one by one or all. */
export function Sessions({ userId }: { userId: string }) {
  const texts = useTexts();
  const act = useAction();
  const showDate = useDates();
  const { path, end, endAll } = sessionsOf(userId, act);
  const { data, error, refetch } = useApiPage<Session>(
    `${path}${query({ range: '0-50', sorter: '-creationDate' })}`,
  );
  return (
    <Section
      title={texts('sessions')}
      lead={data && texts('sessions.count', { smart_count: data.total })}
      actions={
        data &&
        data.total > 0 && (
          <Button color="error" onClick={() => void endAll(texts('sessions.ended'))}>
            {texts('sessions.end-all')}
          </Button>
        )
      }
    >
      {data ? (
        <Rows>
          {data.items.map(({ id, creationDate, expiration, address }) => (
            <Row
              key={id}
              action={
                <Button
                  size="small"
                  startIcon={<LogOut size={16} aria-hidden />}
                  onClick={() => void end(id, texts('sessions.ended'))}
                  aria-label={texts('sessions.end-one', { date: showDate(creationDate) })}
                >
                  {texts('sessions.end')}
                </Button>
              }
            >
              {texts('sessions.since', { date: showDate(creationDate), address: address ?? '–' })}
              <Typography variant="body2" color="textSecondary">
                {texts('sessions.until', { date: showDate(expiration) })}
              </Typography>
            </Row>
          ))}
        </Rows>
      ) : (
        <Pending error={error} onRetry={() => void refetch()} />
      )}
    </Section>
  );
}
