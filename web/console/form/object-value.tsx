import type { ReactNode } from 'react';
import { Box, Link as MuiLink } from '@mui/material';
import { useLocale } from 'react-admin';
import { dateFormats, languageTag } from '../../theme/dates.js';
import {
  columnsOf,
  isPlain,
  isTable,
  kindOfText,
  numberText,
  type Row,
} from '../../theme/variables.js';
import { useTexts } from '../translations/i18n.js';
import { Facts } from './facts.js';

/** An entry of the variables or of the outcomes of a task. */
interface Labelled {
  name: string;
  label: string;
  value?: unknown;
}

const isLabelled = (entry: unknown): entry is Labelled =>
  typeof entry === 'object' && entry !== null && 'name' in entry && 'label' in entry;

/** A value that is an object or a list of them: variables and outcomes by their labels, others by their kinds. */
export function ObjectValue({ value }: { value: unknown }) {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isLabelled))
    return <AnyValue value={value} />;
  if (!value.every((entry) => 'value' in entry))
    return value.map(({ name, label }) => (
      <div key={name}>{label === name ? name : `${label} (${name})`}</div>
    ));
  return (
    <Facts
      facts={value.map((variable) => [
        variable.label,
        <AnyValue key={variable.name} value={variable.value} />,
      ])}
    />
  );
}

/** A value of any kind: lists of flat objects as a table, other nested values as JSON. */
function AnyValue({ value }: { value: unknown }): ReactNode {
  const texts = useTexts();
  const locale = useLocale() ?? 'en';
  const { day, moment } = dateFormats(locale);
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return texts(value ? 'yes' : 'no');
  if (typeof value === 'number') return numberText(value, languageTag(locale));
  if (typeof value === 'string') {
    const kind = kindOfText(value);
    if (kind === 'day') return day(`${value}T12:00`);
    if (kind === 'moment') return moment(value);
    if (kind === 'address')
      return (
        <MuiLink href={value} target="_blank" rel="noopener noreferrer">
          {value}
        </MuiLink>
      );
    return (
      <Box component="span" sx={{ whiteSpace: 'pre-line' }}>
        {value}
      </Box>
    );
  }
  if (isTable(value)) return <Table rows={value} />;
  if (Array.isArray(value) && value.every(isPlain)) return value.map(String).join(', ') || '–';
  return (
    <Box component="code" sx={{ display: 'block', whiteSpace: 'pre-wrap', fontSize: '0.85rem' }}>
      {JSON.stringify(value, undefined, 2)}
    </Box>
  );
}

function Table({ rows }: { rows: Row[] }) {
  const columns = columnsOf(rows);
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Box
        component="table"
        sx={{
          borderSpacing: 0,
          '& th': { color: 'text.secondary', fontWeight: 560, fontSize: '0.82rem' },
          '& th, & td': { p: 0, pr: 2, pb: 0.25, textAlign: 'start', verticalAlign: 'top' },
        }}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map((column) => (
                <td key={column}>
                  <AnyValue value={row[column] ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}
