import { presentField } from '../base/errors/api-errors.js';
import { exportFile } from '../transfer/export.js';
import { type BadLine, importFile } from '../transfer/import.js';
import { type ImportableResource, IMPORTABLE_RESOURCES } from '../transfer/importable-resources.js';
import { KINDS } from '../transfer/kinds.js';
import { formatOf, openFile, STANDARD, writeFile } from './files.js';
import { CommandError, Misuse, print, type PrintOptions } from './output.js';
import { progress } from './progress.js';
import { commandLine, withTables } from './with-database.js';

interface ImportOptions extends PrintOptions {
  dryRun?: boolean;
  without?: string[];
  format?: string;
  linesAtOnce?: string;
}

export async function runImport(name: string, path: string, options: ImportOptions): Promise<void> {
  const kind = kindOf(name);
  const format = formatOf(path, options.format);
  const { dryRun: isDryRun = false, json = false, without } = options;
  const linesAtOnce = linesIn(options.linesAtOnce);
  const file = await openFile(path);
  const report = badLines(json);
  const bar = progress(`importing ${name}`);
  let isReading = true;
  const endBar = (): void => {
    if (isReading) bar.end();
    isReading = false;
  };
  const imported = await withTables((config) =>
    importFile(config, {
      kind,
      file,
      format,
      isDryRun,
      ...(linesAtOnce === undefined ? {} : { linesAtOnce }),
      without,
      auditContext: commandLine(),
      report: (bad) => {
        endBar();
        report.add(bad);
      },
      progress: (lines) => bar.update(lines),
    }),
  );
  endBar();
  if (imported.bad > 0) {
    report.end();
    const kept = imported.created + imported.updated + imported.unchanged;
    throw new CommandError(
      kept === 0
        ? `${imported.bad} of ${imported.lines} lines are bad; nothing was imported`
        : `${imported.bad} of ${imported.lines} lines are bad; the first ${kept} lines were imported, correct the file and import it again`,
    );
  }
  const { lines, created, updated, unchanged } = imported;
  print([{ kind: name, lines, created, updated, unchanged, dryRun: isDryRun }], { json });
}

/** The lines of one transaction. @throws Misuse */
function linesIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const lines = Number(text);
  if (!Number.isInteger(lines) || lines < 1)
    throw new Misuse('--lines-at-once must be a whole number from 1');
  return lines;
}

/** Prints bad lines: for people on standard error, for programs as one array on standard output. */
function badLines(json: boolean): { add(bad: BadLine): void; end(): void } {
  let before = '[\n';
  return {
    add: (bad) => {
      if (!json) {
        const faults = bad.fields.map(({ name, reason }) => `${name}: ${reason.message}`);
        return void process.stderr.write(`line ${bad.line}: ${faults.join('; ')}\n`);
      }
      const fields = bad.fields.map(presentField);
      process.stdout.write(before + JSON.stringify({ ...bad, fields }));
      before = ',\n';
    },
    end: () => void (json && process.stdout.write('\n]\n')),
  };
}

export async function runExport(
  name: string,
  path: string,
  options: { format?: string },
): Promise<void> {
  const kind = kindOf(name);
  const format = formatOf(path, options.format ?? (path === STANDARD ? 'csv' : undefined));
  const bar = progress(`exporting ${name}`);
  const rows = await withTables((config) =>
    writeFile(path, (write) =>
      exportFile(config, {
        kind,
        format,
        auditContext: commandLine(),
        write,
        progress: (written) => bar.update(written),
      }),
    ),
  );
  bar.end(rows);
}

function kindOf(name: string): ImportableResource {
  const kind = IMPORTABLE_RESOURCES.find(({ resource }) => resource.name === name);
  if (!kind) throw new Misuse(`there is no kind ${name}; known: ${KINDS.join(', ')}`);
  return kind;
}
