import { EXIT } from './action.js';

/**
 * Lets a command finish when the program that reads its output ends early, as `head` does, so that an embedded database
 * still stops properly. Any other failure to write fails the command.
 */
export function tolerateClosedOutput(): void {
  // A failure of standard error cannot be reported anywhere.
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(`cannot write: ${error.message}\n`);
    process.exitCode = EXIT.failed;
  });
}
