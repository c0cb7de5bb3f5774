import type { ReactNode } from 'react';
import { Box, Chip, Stack } from '@mui/material';
import { Check, Minus } from 'lucide-react';
import { useLocale } from 'react-admin';
import type { Ref } from '../../api-client/types.js';
import { dateFormats } from '../../theme/dates.js';
import type { Attribute, Code } from '../api/description.js';
import { type Texts, useTexts } from '../translations/i18n.js';
import type { TextKey } from '../translations/en.js';
import { en } from '../translations/en.js';

/** The label of a code: `code.status.1`; the code itself if the console has no label for it. */
export function codeLabel(
  resource: string,
  attribute: string,
  code: unknown,
  texts: Texts,
): string {
  const kind = attribute === 'status' ? `${statusKind(resource)}.` : '';
  const key = `code.${attribute}.${kind}${String(code)}`;
  return key in en ? texts(key as TextKey) : String(code);
}

/** Resources with their own statuses; all others are content. */
const OWN_STATUSES = new Set(['users', 'tasks', 'endpoints', 'deliveries']);

function statusKind(resource: string): string {
  if (resource === 'service-accounts') return 'users';
  return OWN_STATUSES.has(resource) ? resource : 'content';
}

/** Codes that are good, and codes that are over. */
const GOOD = new Set([
  ...['users.status.1', 'tasks.status.done', 'content.status.1'],
  ...['endpoints.status.active', 'endpoints.state.active', 'deliveries.status.delivered'],
  'provider-runs.state.done',
]);
const WAITING = new Set([
  ...['users.status.2', 'content.status.0', 'tasks.status.open', 'endpoints.status.paused'],
  ...['deliveries.status.waiting', 'deliveries.status.leased', 'endpoints.state.paused'],
  'provider-runs.state.running',
]);
const BAD = new Set([
  ...['deliveries.status.failed', 'endpoints.state.no-secret', 'endpoints.state.unavailable'],
  ...['endpoints.state.failing', 'provider-runs.state.failed', 'provider-runs.state.interrupted'],
]);

/** The label of an attribute. */
export function attributeLabel(name: string, texts: Texts): string {
  const key = `attribute.${name}`;
  return key in en ? texts(key as TextKey) : name;
}

/** Shows timestamps in the language of the page; empty for any other value. */
export function useDates(): (timestamp: unknown) => string {
  const { moment } = dateFormats(useLocale() ?? 'en');
  return (timestamp) => (typeof timestamp === 'string' ? moment(timestamp) : '');
}

/** Links of endpoints that mean all objects when they are empty. */
const ALL_WHEN_EMPTY = new Set(['endpoints.applications', 'endpoints.source']);

const NOTHING = (
  <Box component="span" sx={{ color: 'text.secondary' }}>
    –
  </Box>
);

/** The value of an attribute, for people to read. */
export function Value({
  resource,
  attribute,
  value,
}: {
  resource: string;
  attribute: Attribute;
  value: unknown;
}): ReactNode {
  const texts = useTexts();
  const showDate = useDates();
  if (value === null || value === undefined || value === '' || isEmptyList(value))
    return <Empty resource={resource} name={attribute.name} />;
  if (attribute.type === 'timestamp')
    return (
      <Box component="time" dateTime={value as string} sx={{ whiteSpace: 'nowrap' }}>
        {showDate(value)}
      </Box>
    );
  if (attribute.type === 'boolean') return <YesNo isYes={value === true} />;
  // The URI of the record itself is shown as a text, not as a link.
  if (attribute.type === 'link') return typeof value === 'string' ? value : (value as Ref).label;
  if (attribute.type === 'links') return <Labels refs={value as Ref[]} />;
  if (attribute.type === 'coded') {
    const code = value as Code;
    const label = codeLabel(resource, attribute.name, code, texts);
    if (attribute.name === 'status')
      return <Status kind={`${statusKind(resource)}.status.${String(code)}`} label={label} />;
    return attribute.name === 'state' ? (
      <Status kind={`${resource}.state.${String(code)}`} label={label} />
    ) : (
      label
    );
  }
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The meaning of an empty attribute. */
function Empty({ resource, name }: { resource: string; name: string }): ReactNode {
  const texts = useTexts();
  if (name === 'audience') return texts('audience.everyone');
  return ALL_WHEN_EMPTY.has(`${resource}.${name}`) ? texts('all') : NOTHING;
}

function YesNo({ isYes }: { isYes: boolean }) {
  const texts = useTexts();
  const Icon = isYes ? Check : Minus;
  return (
    <Box
      component="span"
      sx={{ display: 'inline-flex', color: isYes ? 'success.main' : 'text.secondary' }}
    >
      <Icon size={17} role="img" aria-label={texts(isYes ? 'yes' : 'no')} />
    </Box>
  );
}

/** A status as a coloured label. */
export function Status({ kind, label }: { kind: string; label: string }) {
  const color = BAD.has(kind)
    ? 'error'
    : GOOD.has(kind)
      ? 'success'
      : WAITING.has(kind)
        ? 'warning'
        : 'default';
  return <Chip size="small" variant="outlined" color={color} label={label} />;
}

/** The most labels that a cell shows. */
const MOST_LABELS = 2;

function Labels({ refs }: { refs: Ref[] }) {
  return (
    <Stack direction="row" useFlexGap spacing={0.5} sx={{ flexWrap: 'wrap' }}>
      {refs.slice(0, MOST_LABELS).map(({ uri, label }) => (
        <Chip
          key={uri}
          size="small"
          label={label}
          title={label}
          sx={{ maxWidth: { xs: '100%', md: '16rem' } }}
        />
      ))}
      {refs.length > MOST_LABELS && <Chip size="small" label={`+${refs.length - MOST_LABELS}`} />}
    </Stack>
  );
}
