import { useEffect, useRef } from 'react';
import { Alert, Box, Button, Chip, Stack } from '@mui/material';
import { Download } from 'lucide-react';
import { explain } from '../components/problems.js';
import { takesPasswords } from '../../api-client/passwords.js';
import { Section } from '../layout/page.js';
import { BulkInvite } from '../list/bulk-invite.js';
import { useTexts } from '../translations/i18n.js';
import { downloadCsv } from './download.js';
import type { ImportReport } from './import-run.js';

/** Problems beyond these are in the file of problems only. */
const SHOWN_PROBLEMS = 100;

/** What a check or an import found, and how many lines it wrote. */
export function ImportReportSection({
  resource,
  isCheck,
  report: { created, createdIds, changed, unchanged, problems, rest, interruption },
}: {
  resource: string;
  isCheck: boolean;
  report: ImportReport;
}) {
  const texts = useTexts();
  // The button that started the import is gone, and its focus would be lost.
  const figures = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isCheck) figures.current?.focus();
  }, [isCheck]);
  const save = () =>
    void downloadCsv(`${resource}-problems.csv`, [
      [texts('import.line'), texts('import.problem')],
      ...problems.map(({ line, message, isWritten }) => [
        String(line),
        isWritten ? `${texts('import.partly')} ${message}` : message,
      ]),
    ]);
  return (
    <Section
      title={texts(isCheck ? 'import.checked' : 'import.report')}
      actions={
        <>
          {resource === 'users' && takesPasswords && createdIds.length > 0 && (
            <BulkInvite ids={createdIds} label={texts('import.invite')} />
          )}
          {problems.length > 0 && (
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
        sx={{ flexWrap: 'wrap', mb: problems.length > 0 ? 2 : 0, outline: 'none' }}
      >
        {!isCheck && (
          <>
            <Chip color="success" label={texts('import.created', { smart_count: created })} />
            <Chip color="success" label={texts('import.changed', { smart_count: changed })} />
            <Chip label={texts('import.unchanged', { smart_count: unchanged })} />
          </>
        )}
        <Chip
          color={problems.length > 0 ? 'error' : 'default'}
          label={texts('import.problems', { smart_count: problems.length })}
        />
      </Stack>
      {!isCheck && rest > 0 && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {interruption && explain(interruption, texts)}{' '}
          {texts('import.rest', { smart_count: rest })}
        </Alert>
      )}
      {problems.length > 0 && <Problems problems={problems} />}
    </Section>
  );
}

function Problems({ problems }: Pick<ImportReport, 'problems'>) {
  const texts = useTexts();
  return (
    <Box component="ul" sx={{ p: 0 }}>
      {problems.slice(0, SHOWN_PROBLEMS).map(({ line, message, problem, isWritten }) => (
        <Box
          component="li"
          key={line}
          sx={{ py: 0.75, borderTop: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}
        >
          <strong>{texts('import.at', { line })}</strong> {isWritten && texts('import.partly')}{' '}
          {problem ? explain(problem, texts) : message}
        </Box>
      ))}
    </Box>
  );
}
