import { useEffect, useRef } from 'react';
import { Alert, Box, Button, Chip, Stack } from '@mui/material';
import { Download } from 'lucide-react';
import { explainLine, explainLinePlainly } from '../components/problems.js';
import { takesPasswords } from '../../api-client/passwords.js';
import { Section } from '../layout/page.js';
import { BulkInvite } from '../list/bulk-invite.js';
import { useTexts } from '../translations/i18n.js';
import { downloadCsv } from './download.js';
import { faultsByLine, type Imported, type LineFault, MOST_FAULTS } from './import-file.js';

/** Problems beyond these are in the file of problems only. */
const SHOWN_PROBLEMS = 100;

/** The faults that a check found, or the number of lines that an import wrote. */
export function ImportReportSection({
  resource,
  isCheck,
  report: { created, createdIds, updated, unchanged, faults },
}: {
  resource: string;
  isCheck: boolean;
  report: Imported;
}) {
  const texts = useTexts();
  const lines = [...faultsByLine(faults)];
  // Moves the focus, because the button that started the import has disappeared.
  const figures = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isCheck) figures.current?.focus();
  }, [isCheck]);
  const save = () =>
    void downloadCsv(`${resource}-problems.csv`, [
      [texts('import.line'), texts('import.problem')],
      ...lines.map(([line, ofLine]) => [String(line), explainLinePlainly(ofLine, texts)]),
    ]);
  return (
    <Section
      title={texts(isCheck ? 'import.checked' : 'import.report')}
      actions={
        <>
          {resource === 'users' && takesPasswords && createdIds.length > 0 && (
            <BulkInvite ids={createdIds} label={texts('import.invite')} />
          )}
          {lines.length > 0 && (
            <Button startIcon={<Download size={17} aria-hidden />} onClick={save}>
              {texts('import.problems.save')}
            </Button>
          )}
        </>
      }
    >
      <Stack
        direction="row"
        useFlexGap
        spacing={1}
        role="status"
        ref={figures}
        tabIndex={-1}
        sx={{ flexWrap: 'wrap', mb: lines.length > 0 ? 2 : 0, outline: 'none' }}
      >
        {!isCheck && (
          <>
            <Chip color="success" label={texts('import.created', { smart_count: created })} />
            <Chip color="success" label={texts('import.changed', { smart_count: updated })} />
            <Chip label={texts('import.unchanged', { smart_count: unchanged })} />
          </>
        )}
        <Chip
          color={lines.length > 0 ? 'error' : 'default'}
          label={texts('import.problems', { smart_count: lines.length })}
        />
      </Stack>
      {faults.length >= MOST_FAULTS && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {texts('import.problems.most', { most: MOST_FAULTS })}
        </Alert>
      )}
      {lines.length > 0 && <BadLines lines={lines} />}
    </Section>
  );
}

function BadLines({ lines }: { lines: [line: number, faults: LineFault[]][] }) {
  const texts = useTexts();
  return (
    <Box component="ul" sx={{ p: 0 }}>
      {lines.slice(0, SHOWN_PROBLEMS).map(([line, faults]) => (
        <Box
          component="li"
          key={line}
          sx={{ py: 0.75, borderTop: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}
        >
          <strong>{texts('import.at', { line })}</strong> {explainLine(faults, texts)}
        </Box>
      ))}
    </Box>
  );
}
