import { useState } from 'react';
import { Box, Chip, Collapse, IconButton, Stack, Typography } from '@mui/material';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useGetManyAggregate, useTranslate } from 'react-admin';
import { Link } from 'react-router';
import type { Ref } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { useTexts } from '../translations/i18n.js';
import { nameOf, placeOf, type ResourceName } from '../resources.js';
import { attributeLabel, codeLabel, useDates } from '../components/value.js';

type State = Record<string, unknown> | null;

/** Lines of the audit trail: who did what to what, from where; what changed on demand. */
export function AuditLines({ lines }: { lines: Item[] }) {
  return (
    <Box component="ul" sx={{ p: 0, m: 0 }}>
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </Box>
  );
}

function Line({ line }: { line: Item }) {
  const texts = useTexts();
  const showDate = useDates();
  const [isOpen, setOpen] = useState(false);
  const [before, after] = [line.before as State, line.after as State];
  const hasChange = before !== null || after !== null;
  const { action, actorLogin, address, reason, count } = line;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <Box
      component="li"
      sx={{ borderTop: 1, borderColor: 'divider', py: 0.9, px: { xs: 1, sm: 1.5 } }}
    >
      <Stack direction="row" spacing={1} sx={{ alignItems: 'flex-start' }}>
        <Box sx={{ width: 30, flex: 'none' }}>
          {hasChange && (
            <IconButton
              size="small"
              aria-expanded={isOpen}
              aria-label={texts('audit.change')}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon size={17} aria-hidden />
            </IconButton>
          )}
        </Box>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Stack
            direction="row"
            useFlexGap
            spacing={1}
            sx={{ flexWrap: 'wrap', alignItems: 'center' }}
          >
            <Typography component="span" sx={{ fontWeight: 570 }}>
              {(actorLogin as string | null) ?? texts('audit.nobody')}
            </Typography>
            <Chip
              size="small"
              variant="outlined"
              color={action === 'refuse' ? 'error' : action === 'delete' ? 'warning' : 'default'}
              label={codeLabel('audit', 'action', action, texts)}
            />
            <AuditObject uri={line.objectUri as string | null} state={after ?? before} />
            {Number(count) > 1 && <Chip size="small" label={`× ${String(count)}`} />}
          </Stack>
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {[showDate(line.date), address, reason].filter(Boolean).join(' · ')}
          </Typography>
          {hasChange && (
            <Collapse in={isOpen} unmountOnExit>
              <Change before={before} after={after} />
            </Collapse>
          )}
        </Box>
      </Stack>
    </Box>
  );
}

/** What a line tells of, with a link to its page where there is one. */
function AuditObject({ uri, state }: { uri: string | null; state: State }) {
  if (uri === null) return null;
  const place = placeOf(uri);
  if (place) return <AuditPlace {...place} state={state} />;
  return (
    <Typography component="span" sx={{ overflowWrap: 'anywhere' }}>
      {uri}
    </Typography>
  );
}

/** A record by its name: as the line has it, else as it is called now; a deleted one by its id. */
function AuditPlace({ resource, id, state }: { resource: ResourceName; id: string; state: State }) {
  const texts = useTexts();
  const translate = useTranslate();
  // The line of a key of theirs has a name too, that of the key.
  const written = state?.[nameOf(resource)];
  const { data } = useGetManyAggregate<Item & Ref>(
    resource,
    { ids: [id] },
    { enabled: typeof written !== 'string' },
  );
  const name = translate(`resources.${resource}.name`, { smart_count: 1 });
  return (
    <Link to={`/${resource}/${id}`}>
      {texts('audit.object', { name, label: written ?? data?.[0]?.label ?? id })}
    </Link>
  );
}

/** The old and the new value of each attribute that changed. */
function Change({ before, after }: { before: State; after: State }) {
  const texts = useTexts();
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after?.[name] ?? null),
  );
  const show = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return '–';
    if (typeof value === 'boolean') return texts(value ? 'yes' : 'no');
    if (Array.isArray(value)) return value.map(show).join(', ') || '–';
    if (typeof value === 'object' && 'label' in value) return String(value.label);
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return (
    <Box sx={{ overflowX: 'auto', mt: 1 }}>
      <Box
        component="table"
        sx={{
          borderCollapse: 'collapse',
          fontSize: '0.85rem',
          '& th, & td': {
            textAlign: 'start',
            verticalAlign: 'top',
            py: 0.4,
            pr: 2.5,
            fontWeight: 'inherit',
            overflowWrap: 'anywhere',
          },
          '& thead th': { whiteSpace: 'nowrap' },
        }}
      >
        <thead>
          <Box component="tr" sx={{ color: 'text.secondary' }}>
            <th scope="col">{texts('audit.attribute')}</th>
            <th scope="col">{texts('audit.before')}</th>
            <th scope="col">{texts('audit.after')}</th>
          </Box>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{attributeLabel(name, texts)}</th>
              <td>{show(before?.[name])}</td>
              <td>{show(after?.[name])}</td>
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}
