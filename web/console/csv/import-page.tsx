import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import {
  Alert,
  Box,
  Button,
  Chip,
  LinearProgress,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { Download, FileUp, Upload } from 'lucide-react';
import { useTranslate } from 'react-admin';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useTexts } from '../translations/i18n.js';
import { MissingPage, Page, Section } from '../layout/page.js';
import { EDITABLE } from '../api/resources.js';
import { explain, explainAny } from '../components/problems.js';
import { attributeLabel } from '../components/value.js';
import { fileAttributes, keyOf } from './cells.js';
import { CsvFault, decode, parseCsv, writeCsv } from './csv.js';
import { download } from './download.js';
import { type ImportFile, type ImportReport, matchColumns, runImport } from './import-run.js';

/** So many lines are shown before anything is written. */
const SHOWN_LINES = 5;
/** Faults beyond these are in the file of faults only. */
const SHOWN_FAULTS = 100;

/** Reads a file into a resource: first looked at, then taken over, every bad line told. */
export function ImportPage() {
  const { resource = '' } = useParams();
  return EDITABLE.some((name) => name === resource) ? (
    <Import key={resource} resource={resource} />
  ) : (
    <MissingPage />
  );
}

type Progress = { isDry: boolean; part: number };

function Import({ resource }: { resource: string }) {
  const texts = useTexts();
  const translate = useTranslate();
  const queries = useQueryClient();
  const attributes = useMemo(() => fileAttributes(resource), [resource]);
  const [name, setName] = useState('');
  const [file, setFile] = useState<ImportFile>();
  const [fault, setFault] = useState<ReactNode>();
  const [progress, setProgress] = useState<Progress>();
  const [report, setReport] = useState<ImportReport & { isDry: boolean }>();
  const running = useRef<AbortController>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const list = translate(`resources.${resource}.name`, { smart_count: 2 });

  const run = async (isDry: boolean, of: ImportFile) => {
    running.current = new AbortController();
    setProgress({ isDry, part: 0 });
    setReport(undefined);
    try {
      const options = {
        isDry,
        signal: running.current.signal,
        onProgress: (part: number) => setProgress({ isDry, part }),
      };
      setReport({ isDry, ...(await runImport(resource, of, texts, options)) });
      if (!isDry) await queries.invalidateQueries();
    } catch (error) {
      setFault(explainAny(error, texts));
    }
    setProgress(undefined);
  };
  const read = async (chosen: File) => {
    setName(chosen.name);
    setFile(undefined);
    setReport(undefined);
    setFault(undefined);
    try {
      const rows = parseCsv(decode(await chosen.arrayBuffer()));
      const matched = matchColumns(rows, attributes);
      if (!matched.columns.some(Boolean) || matched.rows.length === 0)
        return setFault(texts('import.nothing'));
      setFile(matched);
      await run(true, matched);
    } catch (error) {
      if (!(error instanceof CsvFault)) throw error;
      setFault(texts('import.broken', { line: error.line }));
    }
  };
  const template = () =>
    download(`${resource}.csv`, writeCsv([attributes.map((attribute) => attribute.name)]));

  return (
    <Page
      narrow
      title={texts('import.title', { name: list })}
      lead={texts('import.lead', { key: attributeLabel(keyOf(resource), texts) })}
      back={{ to: `/${resource}`, label: list }}
      actions={
        <Button startIcon={<Download size={17} aria-hidden />} onClick={template}>
          {texts('import.template')}
        </Button>
      }
    >
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
            disabled={progress !== undefined}
            onClick={() => input.current?.click()}
          >
            {texts('import.choose')}
          </Button>
          <input
            ref={input}
            hidden
            type="file"
            accept=".csv,text/csv,text/plain"
            onChange={(event) => {
              const [chosen] = event.target.files ?? [];
              if (chosen) void read(chosen);
              event.target.value = '';
            }}
          />
          <Typography color="textSecondary">{name}</Typography>
        </Stack>
        {fault !== undefined && (
          <Alert severity="error" sx={{ mt: 2 }}>
            {fault}
          </Alert>
        )}
      </Section>
      {file && <Look file={file} />}
      {progress && (
        <Section title={texts(progress.isDry ? 'import.looking' : 'import.running')}>
          <LinearProgress
            variant="determinate"
            value={100 * progress.part}
            aria-label={texts('loading')}
            sx={{ mb: 2 }}
          />
          <Button onClick={() => running.current?.abort()}>{texts('import.stop')}</Button>
        </Section>
      )}
      {report && <Report resource={resource} report={report} />}
      {file && report?.isDry && (
        <Button
          variant="contained"
          size="large"
          startIcon={<Upload size={18} aria-hidden />}
          disabled={report.faults.length === file.rows.length}
          onClick={() => void run(false, file)}
        >
          {texts('import.start', { smart_count: file.rows.length - report.faults.length })}
        </Button>
      )}
    </Page>
  );
}

/** The first lines, with what each column is taken for. */
function Look({ file: { headings, columns, rows } }: { file: ImportFile }) {
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

function Report({
  resource,
  report: { isDry, created, changed, unchanged, faults },
}: {
  resource: string;
  report: ImportReport & { isDry: boolean };
}) {
  const texts = useTexts();
  // The button that started it is gone, and must not take the focus along.
  const figures = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isDry) figures.current?.focus();
  }, [isDry]);
  const save = () =>
    download(
      `${resource}-faults.csv`,
      writeCsv([
        [texts('import.line'), texts('import.fault')],
        ...faults.map(({ line, message }) => [String(line), message]),
      ]),
    );
  return (
    <Section
      title={texts(isDry ? 'import.looked' : 'import.report')}
      actions={
        faults.length > 0 && (
          <Button startIcon={<Download size={17} aria-hidden />} onClick={save}>
            {texts('import.faults.save')}
          </Button>
        )
      }
    >
      <Stack
        direction="row"
        useFlexGap
        spacing={1}
        role="status"
        ref={figures}
        tabIndex={-1}
        sx={{ flexWrap: 'wrap', mb: faults.length > 0 ? 2 : 0, outline: 'none' }}
      >
        {!isDry && (
          <>
            <Chip color="success" label={texts('import.created', { smart_count: created })} />
            <Chip color="success" label={texts('import.changed', { smart_count: changed })} />
            <Chip label={texts('import.unchanged', { smart_count: unchanged })} />
          </>
        )}
        <Chip
          color={faults.length > 0 ? 'error' : 'default'}
          label={texts('import.faults', { smart_count: faults.length })}
        />
      </Stack>
      {faults.length > 0 && (
        <Box component="ul" sx={{ p: 0 }}>
          {faults.slice(0, SHOWN_FAULTS).map(({ line, message, problem }) => (
            <Box
              component="li"
              key={line}
              sx={{ py: 0.75, borderTop: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}
            >
              <strong>{texts('import.at', { line })}</strong>{' '}
              {problem ? explain(problem, texts) : message}
            </Box>
          ))}
        </Box>
      )}
    </Section>
  );
}
