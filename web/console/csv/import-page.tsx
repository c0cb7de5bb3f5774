import { useRef } from 'react';
import { Alert, Button, LinearProgress, Stack, Typography } from '@mui/material';
import { Download, FileUp, Upload } from 'lucide-react';
import { useTranslate } from 'react-admin';
import { useParams } from 'react-router';
import { EDITABLE, resourceOf } from '../resources.js';
import { attributeLabel } from '../components/value.js';
import { MissingPage, Page, Section } from '../layout/page.js';
import { useTexts } from '../translations/i18n.js';
import { fileAttributes, keyOf } from './cells.js';
import { downloadCsv } from './download.js';
import { ImportPreview } from './import-preview.js';
import { ImportReportSection } from './import-report.js';
import { type ImportState, useImport } from './use-import.js';

/** Imports a file into a resource: the server checks all lines first, and then writes all or none. */
export function ImportPage() {
  const { resource = '' } = useParams();
  return EDITABLE.some((name) => name === resource && !resourceOf(name).withoutFiles) ? (
    <Import key={resource} resource={resource} />
  ) : (
    <MissingPage />
  );
}

function Import({ resource }: { resource: string }) {
  const texts = useTexts();
  const translate = useTranslate();
  const { state, choose, start } = useImport(resource);
  const { file, running, report } = state;
  const isReady = report?.step === 'check' && report.faults.length === 0;
  const list = translate(`resources.${resource}.name`, { smart_count: 2 });
  const saveTemplate = () =>
    void downloadCsv(`${resource}.csv`, [fileAttributes(resource).map(({ name }) => name)]);
  return (
    <Page
      narrow
      title={texts('import.title', { name: list })}
      lead={texts('import.lead', { key: attributeLabel(keyOf(resource), texts) })}
      back={{ to: `/${resource}`, label: list }}
      actions={
        <Button startIcon={<Download size={17} aria-hidden />} onClick={saveTemplate}>
          {texts('import.template')}
        </Button>
      }
    >
      <FileChoice state={state} onChoose={choose} />
      {file && <ImportPreview file={file} faults={report?.faults ?? []} />}
      {running && <ProgressSection isCheck={running === 'check'} />}
      {report && (
        <ImportReportSection
          resource={resource}
          isCheck={report.step === 'check'}
          report={report}
        />
      )}
      {file && isReady && !running && (
        <Button
          variant="contained"
          size="large"
          startIcon={<Upload size={18} aria-hidden />}
          onClick={start}
        >
          {texts('import.start', { smart_count: file.rows.length })}
        </Button>
      )}
    </Page>
  );
}

function FileChoice({
  state: { name, file, failure, running },
  onChoose,
}: {
  state: ImportState;
  onChoose: (file: File) => void;
}) {
  const texts = useTexts();
  const input = useRef<HTMLInputElement>(null);
  return (
    <Section title={texts('import.file')} lead={texts('import.format')}>
      <Stack
        direction="row"
        useFlexGap
        spacing={1.5}
        sx={{ alignItems: 'center', flexWrap: 'wrap' }}
      >
        <Button
          variant={file ? 'outlined' : 'contained'}
          startIcon={<FileUp size={17} aria-hidden />}
          disabled={running !== undefined}
          onClick={() => input.current?.click()}
        >
          {texts('import.choose')}
        </Button>
        <input
          ref={input}
          hidden
          type="file"
          accept=".csv,text/csv,text/plain"
          onChange={({ target }) => {
            const [chosen] = target.files ?? [];
            if (chosen) onChoose(chosen);
            target.value = '';
          }}
        />
        <Typography color="textSecondary">{name}</Typography>
      </Stack>
      {failure !== undefined && (
        <Alert severity="error" sx={{ mt: 2 }}>
          {failure}
        </Alert>
      )}
    </Section>
  );
}

function ProgressSection({ isCheck }: { isCheck: boolean }) {
  const texts = useTexts();
  return (
    <Section title={texts(isCheck ? 'import.checking' : 'import.running')}>
      <LinearProgress aria-label={texts('loading')} />
    </Section>
  );
}
