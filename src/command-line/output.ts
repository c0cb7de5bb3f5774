import { ApiError } from '../base/errors/api-errors.js';
import { explainUnreachableDatabase } from '../base/errors/database-errors.js';

/** A command failed; `message` says why. */
export class CommandError extends Error {}

/** A command was misused; `message` says how to call it. */
export class Misuse extends CommandError {}

/** The reader of standard output has ended, as `head` does: nothing is left to do, and nothing failed. */
export class ClosedOutput extends Error {}

/** The options of every command that prints a result (makeProgram). */
export interface PrintOptions {
  json?: boolean;
}

/**
 * Prints the result of a command: an array of objects as JSON for programs, for people aligned columns.
 * @param line what people get instead of columns
 */
export function print(
  rows: Record<string, unknown>[],
  { json = false }: PrintOptions,
  line?: string,
): void {
  const text = json ? JSON.stringify(rows, undefined, 2) : line;
  if (text !== undefined) return void process.stdout.write(`${text}\n`);
  if (rows.length === 0) return;
  const names = Object.keys(rows[0]!);
  const lines = [names, ...rows.map((row) => names.map((name) => shown(row[name])))];
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  for (const line of lines)
    process.stdout.write(
      `${line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd()}\n`,
    );
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '-' : JSON.stringify(value);

/** Why a file cannot be used, by the code of the operating system. */
const FILE_PROBLEMS: Record<string, string> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'is a folder',
  ENOTDIR: 'is no folder',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
};

/** One line about a failure, with every problem that an API error names. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof ApiError)) return explainSystemError(error) ?? error.message;
  const { fields = [], errors = [] } = error.details;
  if (fields.length > 0)
    return fields.map(({ name, reason }) => `${name}: ${reason.message}`).join('; ');
  return [error.message, ...(errors.length > 0 ? [errors.join(', ')] : [])].join(': ');
}

function explainSystemError(error: NodeJS.ErrnoException): string | undefined {
  const { code = '', path } = error;
  if (path !== undefined && code in FILE_PROBLEMS) return `${path}: ${FILE_PROBLEMS[code]}`;
  return explainUnreachableDatabase(error);
}
