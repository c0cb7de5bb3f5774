import { type ReactNode, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { CsvError } from '../../../src/csv/dialect.js';
import { explainAny } from '../components/problems.js';
import { type Texts, useTexts } from '../translations/i18n.js';
import { fileAttributes } from './cells.js';
import { type ImportFile, matchColumns } from './import-file.js';
import { checkFile, Import, type ImportReport } from './import-run.js';

/** Where an import is: a file is chosen, then checked, then imported. */
export interface ImportState {
  /** Name of the file. */
  name: string;
  /** Why the file cannot be read, or why the run ended. */
  failure?: ReactNode;
  file?: ImportFile;
  /** The import of the lines, once all were checked. */
  job?: Import;
  progress?: { isCheck: boolean; part: number };
  report?: ImportReport & { isCheck: boolean };
}

/** Reads a file, or says why it cannot be read. */
async function readFile(
  chosen: File,
  resource: string,
  texts: Texts,
): Promise<ImportFile | { failure: string }> {
  const { decode, parseCsv } = await import('./csv.js');
  try {
    const file = matchColumns(
      parseCsv(decode(await chosen.arrayBuffer())),
      fileAttributes(resource),
    );
    if (file.repeated !== undefined)
      return { failure: texts('import.repeated', { name: file.repeated }) };
    const isEmpty = file.rows.length === 0 || !file.columns.some(Boolean);
    return isEmpty ? { failure: texts('import.nothing') } : file;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { failure: texts('import.broken', { line: error.line }) };
  }
}

/** Runs an import, a step at a time. */
export function useImport(resource: string) {
  const texts = useTexts();
  const queries = useQueryClient();
  const [state, setState] = useState<ImportState>({ name: '' });
  const running = useRef<AbortController>(undefined);
  const change = (next: Partial<ImportState>) => setState((last) => ({ ...last, ...next }));

  const run = async (
    isCheck: boolean,
    work: (run: Parameters<typeof checkFile>[2]) => Promise<Partial<ImportState>>,
  ) => {
    const controller = new AbortController();
    running.current = controller;
    const onProgress = (part: number) => change({ progress: { isCheck, part } });
    onProgress(0);
    try {
      change(await work({ texts, onProgress, signal: controller.signal }));
    } catch (error) {
      change({ failure: explainAny(error, texts) });
    }
    change({ progress: undefined });
  };
  const choose = async (chosen: File) => {
    setState({ name: chosen.name });
    const file = await readFile(chosen, resource, texts);
    if ('failure' in file) return change(file);
    change({ file });
    await run(true, async (options) => {
      const { lines, problems } = await checkFile(resource, file, options);
      const report = {
        isCheck: true,
        created: 0,
        createdIds: [],
        changed: 0,
        unchanged: 0,
        problems,
        rest: lines.length,
      };
      const job = options.signal.aborted ? undefined : new Import(resource, lines);
      return { job, report };
    });
  };
  const start = async () => {
    const { job } = state;
    if (!job) return;
    change({ report: undefined });
    await run(false, async (options) => {
      await job.run(options);
      void queries.invalidateQueries();
      return { report: { isCheck: false, ...job.report } };
    });
  };
  return {
    state,
    choose: (file: File) => void choose(file),
    start: () => void start(),
    stop: () => running.current?.abort(),
  };
}
