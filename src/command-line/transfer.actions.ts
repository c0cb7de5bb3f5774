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
}

export async function runImport(name: string, path: string, options: ImportOptions): Promise<void> {
  const kind = kindOf(name);
  const format = formatOf(path, options.format);
  const { dryRun: isDryRun = false, json = false, without } = options;
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
    throw new CommandError(
      `${imported.bad} of ${imported.lines} lines are bad; nothing was imported`,
    );
  }
  const { lines, created, updated, unchanged } = imported;
  print([{ kind: name, lines, created, updated, unchanged, dryRun: isDryRun }], { json });
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
