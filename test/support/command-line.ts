import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** The outcome of a command. */
export interface CommandResult {
  code: number | null;
  out: string;
  error: string;
}

/** Runs the built command line in a separate process. */
export function runCommand(
  args: string[],
  {
    input = '',
    env = {},
    cwd = process.cwd(),
    closesOutput = false,
  }: {
    input?: string;
    env?: Record<string, string>;
    cwd?: string;
    /** The reader of standard output has gone before the command writes. */
    closesOutput?: boolean;
  } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [resolve('dist/src/cli.js'), ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
  const result: CommandResult = { code: null, out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => (result.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (result.error += chunk.toString()));
  if (closesOutput) child.stdout.destroy();
  child.stdin.end(input);
  return new Promise((done) => child.on('close', (code) => done({ ...result, code })));
}
