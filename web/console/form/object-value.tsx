import type { ReactNode } from 'react';
import { Box } from '@mui/material';
import { useLocale } from 'react-admin';
import { VariableValue } from '../../theme/variable-value.js';
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

/** A value of any kind, in the style of the console. */
function AnyValue({ value }: { value: unknown }): ReactNode {
  const texts = useTexts();
  const words = { locale: useLocale() ?? 'en', yes: texts('yes'), no: texts('no') };
  return (
    <Box sx={STYLES}>
      <VariableValue value={value} words={words} />
    </Box>
  );
}

const STYLES = {
  '& .prose': { whiteSpace: 'pre-line' },
  '& .json': { display: 'block', whiteSpace: 'pre-wrap', fontSize: '0.85rem' },
  '& .values': { overflowX: 'auto' },
  '& table': { borderSpacing: 0 },
  '& th': { color: 'text.secondary', fontWeight: 560, fontSize: '0.82rem' },
  '& th, & td': { p: 0, pr: 2, pb: 0.25, textAlign: 'start', verticalAlign: 'top' },
  '& a': { color: 'primary.main' },
};
