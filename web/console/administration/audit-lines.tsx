import { useState } from 'react';
import { Box, Chip, Collapse, IconButton, Stack, Typography } from '@mui/material';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router';
import type { Ref } from '../../api-client/types.js';
import type { Item } from '../api/data-provider.js';
import { useTexts } from '../translations/i18n.js';
import { nameOf, placeOf } from '../resources.js';
import { attributeLabel, codeLabel, useDates } from '../components/value.js';

type State = Record<string, unknown> | null;

/** An object that may have been deleted. */
type Named = Pick<Ref, 'uri'> & { label: string | null };

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
  const { action, address, reason, count } = line;
  const actor = line.actor as Ref | null;
  const program = line.program as string | null;
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
              {actor?.reference ?? program ?? texts('audit.no-actor')}
            </Typography>
            <Chip
              size="small"
              variant="outlined"
              color={action === 'refuse' ? 'error' : action === 'delete' ? 'warning' : 'default'}
              label={codeLabel('audit', 'action', action, texts)}
            />
            <AuditObject object={line.object as Named | null} state={after ?? before} />
            {Number(count) > 1 && <Chip size="small" label={`× ${String(count)}`} />}
          </Stack>
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {[showDate(line.creationDate), address, reason].filter(Boolean).join(' · ')}
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

/** The object of a line, with a link to its page if it has one. It shows the recorded name, or else the present one. */
function AuditObject({ object, state }: { object: Named | null; state: State }) {
  const texts = useTexts();
  const translate = useTranslate();
  if (object === null) return null;
  const { uri, label } = object;
  const place = placeOf(uri);
  if (!place)
    return (
      <Typography component="span" sx={{ overflowWrap: 'anywhere' }}>
        {uri}
      </Typography>
    );
  const { resource, id } = place;
  const name = translate(`resources.${resource}.name`, { smart_count: 1 });
  // A line about a user's API key has a name too, that of the key.
  const written = state?.[nameOf(resource)];
  return (
    <Link to={`/${resource}/${id}`}>
      {texts('audit.object', { name, label: written ?? label ?? id })}
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
