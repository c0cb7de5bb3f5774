import {
  Alert,
  Box,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { explainFaults } from '../components/problems.js';
import { attributeLabel } from '../components/value.js';
import { Section } from '../layout/page.js';
import { useTexts } from '../translations/i18n.js';
import { faultsByLine, type ImportFile, type LineFault } from './import-file.js';

/** How many lines are shown. */
const SHOWN_LINES = 5;

/** The first lines of a file, or the first bad ones, and the matched attribute of each column. */
export function ImportPreview({
  file: { headings, columns, rows },
  faults,
}: {
  file: ImportFile;
  faults: LineFault[];
}) {
  const texts = useTexts();
  const bad = faultsByLine(faults);
  const shown = bad.size > 0 ? rows.filter(({ line }) => bad.has(line)) : rows;
  const ignored = headings.filter((_, at) => !columns[at]);
  return (
    <Section title={texts('import.look', { smart_count: rows.length })}>
      {ignored.length > 0 && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {texts('import.ignored', { names: ignored.join(', ') })}
        </Alert>
      )}
      <Box
        sx={{ overflowX: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label={texts(bad.size > 0 ? 'import.first.bad' : 'import.first')}
      >
        <Table size="small" sx={{ whiteSpace: 'nowrap' }}>
          <TableHead>
            <TableRow>
              <TableCell>{texts('import.line')}</TableCell>
              {headings.map((heading, at) => (
                <TableCell key={at}>
                  {columns[at] ? attributeLabel(columns[at].name, texts) : <s>{heading}</s>}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {shown.slice(0, SHOWN_LINES).map(({ line, cells }) => (
              <TableRow key={line}>
                <TableCell>{line}</TableCell>
                {headings.map((_, at) => (
                  <Cell
                    key={at}
                    text={cells[at]}
                    faults={bad.get(line)?.filter(({ name }) => name === columns[at]?.name) ?? []}
                  />
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Section>
  );
}

/** A cell; a bad one is red and shows its fault. */
function Cell({ text, faults }: { text: string | undefined; faults: LineFault[] }) {
  const texts = useTexts();
  const isBad = faults.length > 0;
  return (
    <TableCell
      title={text}
      data-state={isBad ? 'bad' : undefined}
      sx={{
        maxWidth: 220,
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        ...(isBad && { outline: 2, outlineOffset: -2, outlineColor: 'error.main' }),
      }}
    >
      {text}
      {isBad && (
        <Typography variant="body2" color="error" sx={{ whiteSpace: 'normal' }}>
          {explainFaults(faults, texts)}
        </Typography>
      )}
    </TableCell>
  );
}
