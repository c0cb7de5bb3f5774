import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { CsvError } from '../../../src/base/csv/dialect.js';
import { explainAny } from '../components/problems.js';
import { type Texts, useTexts } from '../translations/i18n.js';
import { fileAttributes } from './cells.js';
import { importFile, type Imported, type ImportFile, matchColumns } from './import-file.js';

type Step = 'check' | 'import';

/** The steps of an import: a file is chosen, then checked, then imported. */
export interface ImportState {
  /** Name of the file. */
  name: string;
  /** Why the file cannot be read, or why the step failed. */
  failure?: ReactNode;
  file?: ImportFile;
  content?: Blob;
  /** The step that runs. */
  running?: Step;
  /** The result of the last step. */
  report?: Imported & { step: Step };
}

/** Reads a file, or returns why it cannot be read. */
async function readFile(
  bytes: ArrayBuffer,
  resource: string,
  texts: Texts,
): Promise<ImportFile | { failure: string }> {
  const { decode, parseCsv } = await import('./csv.js');
  try {
    const file = matchColumns(parseCsv(decode(bytes)), fileAttributes(resource));
    if (file.repeated !== undefined)
      return { failure: texts('import.repeated', { name: file.repeated }) };
    const isEmpty = file.rows.length === 0 || !file.columns.some(Boolean);
    return isEmpty ? { failure: texts('import.nothing') } : file;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { failure: texts('import.broken', { line: error.line }) };
  }
}

/** Runs an import step by step. */
export function useImport(resource: string) {
  const texts = useTexts();
  const queries = useQueryClient();
  const [state, setState] = useState<ImportState>({ name: '' });
  const change = (next: Partial<ImportState>) => setState((last) => ({ ...last, ...next }));

  const run = async (step: Step, content: Blob) => {
    change({ running: step, failure: undefined });
    try {
      change({ report: { step, ...(await importFile(resource, content, step === 'check')) } });
    } catch (error) {
      change({ failure: explainAny(error, texts) });
    }
    change({ running: undefined });
    if (step === 'import') void queries.invalidateQueries();
  };
  const choose = async (chosen: File) => {
    setState({ name: chosen.name });
    const bytes = await chosen.arrayBuffer();
    const file = await readFile(bytes, resource, texts);
    if ('failure' in file) return change(file);
    const content = new Blob([bytes], { type: 'text/csv' });
    change({ file, content });
    await run('check', content);
  };
  return {
    state,
    choose: (file: File) => void choose(file),
    start: () => void (state.content && run('import', state.content)),
  };
}
