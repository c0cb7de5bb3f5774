import { Alert, Box, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material';
import { attributeLabel } from '../components/value.js';
import { Section } from '../layout/page.js';
import { useTexts } from '../translations/i18n.js';
import type { ImportFile } from './import-file.js';

/** How many lines are shown before anything is written. */
const SHOWN_LINES = 5;

/** The first lines of a file, each column with the attribute that it is taken for. */
export function ImportPreview({ file: { headings, columns, rows } }: { file: ImportFile }) {
  const texts = useTexts();
  const ignored = headings.filter((_, at) => !columns[at]);
  return (
    <Section title={texts('import.look', { smart_count: rows.length })}>
      {ignored.length > 0 && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {texts('import.ignored', { names: ignored.join(', ') })}
        </Alert>
      )}
      <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={texts('import.first')}>
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
            {rows.slice(0, SHOWN_LINES).map(({ line, cells }) => (
              <TableRow key={line}>
                <TableCell>{line}</TableCell>
                {headings.map((_, at) => (
                  <TableCell
                    key={at}
                    title={cells[at]}
                    sx={{ maxWidth: 220, overflow: 'hidden', textOverflow: 'ellipsis' }}
                  >
                    {cells[at]}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Section>
  );
}
