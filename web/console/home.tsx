import { Alert, Box, Button, Card, Typography } from '@mui/material';
import { useGetList, useTranslate } from 'react-admin';
import { Link } from 'react-router';
import { AuditLines } from './administration/audit-lines.js';
import type { Provider } from '../api-client/types.js';
import type { Item } from './api/data-provider.js';
import { EndpointAlerts } from './deliveries/endpoint-alerts.js';
import { NOBODY } from './filters/filter.js';
import { useTexts } from './translations/i18n.js';
import { Page, Pending, Section } from './layout/page.js';
import { resourceOf } from './resources.js';
import { useAppContext } from './session/app-context.js';
import { shownTo } from './session/rights.js';

/** Failing endpoints, the number of records of each resource, and the latest changes. */
export function Home() {
  const texts = useTexts();
  const { session, rights } = useAppContext();
  return (
    <Page title={texts('home.hello', { name: session.user.label })} lead={texts('home.lead')}>
      {rights.permits('endpoints:read') && <EndpointAlerts />}
      {rights.permits('providers:read') && <DirectoryAlerts />}
      {rights.permitsSomewhere('tasks:read') && <UndecidableTasks />}
      <Box
        component="ul"
        sx={{
          display: 'grid',
          gap: 1.5,
          gridTemplateColumns: 'repeat(auto-fill, minmax(10.5rem, 1fr))',
          p: 0,
          mb: 3,
        }}
      >
        {shownTo(rights).map((name) => (
          <Count key={name} name={name} />
        ))}
      </Box>
      {rights.permits('audit:read') && (
        <Section title={texts('home.latest')}>
          <Latest />
        </Section>
      )}
    </Page>
  );
}

const UNDECIDABLE = { 'assignee@eq': NOBODY };

/** How many open tasks nobody can decide, with a link to them; nothing without any. */
function UndecidableTasks() {
  const texts = useTexts();
  // A busy server leaves the count out.
  const { data = [], total } = useGetList<Item>('tasks', {
    pagination: { page: 1, perPage: 1 },
    sort: { field: 'id', order: 'ASC' },
    filter: UNDECIDABLE,
  });
  if (data.length === 0) return null;
  const filter = encodeURIComponent(JSON.stringify(UNDECIDABLE));
  return (
    <Alert
      severity="warning"
      sx={{ mb: 2 }}
      action={
        <Button component={Link} to={`/tasks?filter=${filter}`} color="inherit" size="small">
          {texts('nobody.show')}
        </Button>
      }
    >
      {total === undefined ? texts('nobody.some') : texts('nobody.text', { smart_count: total })}
    </Alert>
  );
}

/** A banner for each LDAP provider whose last run has failed, with a link to its page. */
function DirectoryAlerts() {
  const texts = useTexts();
  const { data = [] } = useGetList<Item>('providers', {
    pagination: { page: 1, perPage: 100 },
    sort: { field: 'label', order: 'ASC' },
    filter: { 'kind@eq': 'ldap', 'active@eq': true },
  });
  return data.map(({ id, label, lastRun }) => {
    const run = lastRun as Provider['lastRun'];
    if (run?.state !== 'failed' && run?.state !== 'interrupted') return null;
    const key = run.brake ? '.brake' : run.state === 'interrupted' ? '.interrupted' : '';
    return (
      <Alert key={id} severity={run.brake ? 'error' : 'warning'} role="status" sx={{ mb: 1.5 }}>
        <Link to={`/providers/${id}`}>
          {texts(`home.directory${key}`, { name: String(label) })}
        </Link>
        {run.error !== null && <div>{run.error}</div>}
      </Alert>
    );
  });
}

function Count({ name }: { name: string }) {
  const translate = useTranslate();
  const { total } = useGetList<Item>(name, {
    pagination: { page: 1, perPage: 1 },
    sort: { field: 'id', order: 'ASC' },
  });
  const Icon = resourceOf(name).icon;
  return (
    <li>
      <Card
        component={Link}
        to={`/${name}`}
        sx={{
          display: 'block',
          p: 2,
          color: 'text.primary',
          '&:hover': { borderColor: 'primary.main', textDecoration: 'none' },
        }}
      >
        <Box sx={{ color: 'primary.main', display: 'flex', mb: 1 }}>
          <Icon size={20} aria-hidden />
        </Box>
        <Typography component="span" sx={{ fontSize: '1.5rem', fontWeight: 660, lineHeight: 1.2 }}>
          {total ?? '–'}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {translate(`resources.${name}.name`, { smart_count: total ?? 2 })}
        </Typography>
      </Card>
    </li>
  );
}

function Latest() {
  const texts = useTexts();
  const { data, error, refetch } = useGetList<Item>('audit', {
    pagination: { page: 1, perPage: 8 },
    sort: { field: 'id', order: 'DESC' },
    filter: { 'action@neq': ['sign-in', 'sign-out', 'refuse'] },
  });
  if (data?.length === 0)
    return <Typography color="textSecondary">{texts('list.empty')}</Typography>;
  return data ? (
    <AuditLines lines={data} />
  ) : (
    <Pending error={error} onRetry={() => void refetch()} />
  );
}
