import type { Command } from 'commander';

/** `serve`: what `npm start` does. */
export function addServeCommand(program: Command, serve: () => Promise<void>): void {
  program
    .command('serve')
    .description('migrate the database and run the server until a signal stops it')
    .action(serve);
}
