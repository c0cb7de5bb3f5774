import { useState } from 'react';
import { Box, Button, Chip, Typography } from '@mui/material';
import { query } from '../../api-client/api.js';
import type { ProviderRequest } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { useApiPage } from '../api/use-api.js';
import { ExpandableRow, RowHead, Rows } from '../components/rows.js';
import { useDates } from '../components/value.js';
import { Pending, Section } from '../layout/page.js';
import { useTexts } from '../translations/i18n.js';

/** How many calls the page shows at first, and adds each time. */
const STEP = 20;

/** The first status of a call that failed. */
const FAILED = 400;

/** The last calls of a SCIM client, with what it sent and what the server answered (docs/scim.md#when-something-is-missing). */
export function ProviderRequests({ provider }: { provider: Item }) {
  const texts = useTexts();
  const [count, setCount] = useState(STEP);
  const [open, setOpen] = useState<string>();
  const path = `/api/v2/directory/providers/${provider.id}/requests${query({ range: `0-${count}`, sorter: '-id' })}`;
  const { data, error, refetch } = useApiPage<ProviderRequest>(path);
  return (
    <Section
      title={texts('calls.title')}
      lead={texts('calls.lead')}
      actions={<Button onClick={() => void refetch()}>{texts('refresh')}</Button>}
    >
      {data ? (
        <>
          <Rows>
            {data.items.map((request) => (
              <RequestRow
                key={request.id}
                request={request}
                isOpen={open === request.id}
                onToggle={() => setOpen(open === request.id ? undefined : request.id)}
              />
            ))}
          </Rows>
          {data.items.length === 0 && <p>{texts('calls.none')}</p>}
          {data.hasNext && (
            <Button onClick={() => setCount(count + STEP)}>{texts('calls.more')}</Button>
          )}
        </>
      ) : (
        <Pending error={error} onRetry={() => void refetch()} />
      )}
    </Section>
  );
}

function RequestRow({
  request: { method, path, status, date, dryRun, body, answer },
  isOpen,
  onToggle,
}: {
  request: ProviderRequest;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const texts = useTexts();
  const showDate = useDates();
  return (
    <ExpandableRow
      label={texts('calls.show', { call: `${method} ${path}` })}
      isOpen={isOpen}
      onToggle={onToggle}
      details={
        <>
          <Content title={texts('calls.body')} content={body} />
          <Content title={texts('calls.answer')} content={answer} />
        </>
      }
    >
      <RowHead>
        <Chip
          size="small"
          variant="outlined"
          color={status < FAILED ? 'success' : 'error'}
          label={status}
        />
        <Typography component="span" sx={{ fontWeight: 570 }}>
          {method}
        </Typography>
        <span>{path}</span>
        {dryRun && <Chip size="small" label={texts('attribute.dryRun')} />}
      </RowHead>
      <Typography variant="body2" color="textSecondary">
        {showDate(date)}
      </Typography>
    </ExpandableRow>
  );
}

/** What was sent or answered. The server has left passwords out. */
function Content({ title, content }: { title: string; content: string | null }) {
  const texts = useTexts();
  return (
    <Box sx={{ my: 1 }}>
      <Typography variant="body2" color="textSecondary">
        {title}
      </Typography>
      <Box
        component="pre"
        aria-label={title}
        sx={{ m: 0, fontSize: '0.82rem', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {content === null || content === '' ? texts('calls.empty') : indented(content)}
      </Box>
    </Box>
  );
}

/** JSON on lines of its own; a content that was cut is no JSON, and stays as it is. */
function indented(content: string): string {
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
}
