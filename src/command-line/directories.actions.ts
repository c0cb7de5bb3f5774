import { DedicatedConnection } from '../database/dedicated-connection.js';
import { providers } from '../directory/provider.resource.js';
import { RunFailed } from '../synchronization/run-records.js';
import { synchronize } from '../synchronization/synchronize.js';
import { idOf } from './id-of.js';
import { CommandError, print, type PrintOptions } from './output.js';
import { progress } from './progress.js';
import { withTables } from './with-database.js';

interface SyncOptions extends PrintOptions {
  dryRun?: boolean;
  withoutBrake?: boolean;
  incremental?: boolean;
}

export const sync = (
  name: string,
  {
    dryRun: isDryRun = false,
    withoutBrake = false,
    incremental = false,
    json = false,
  }: SyncOptions,
): Promise<void> =>
  withTables(async (config) => {
    const provider = await DedicatedConnection.on(config, (session) =>
      idOf(session, providers, name),
    );
    const bar = progress(`reading ${name}`);
    const options = { provider, isDryRun, isFull: !incremental, withoutBrake };
    try {
      const { counts, changes, isIncomplete } = await synchronize(config, {
        ...options,
        progress: (read) => bar.update(read),
      });
      bar.end(counts.read + counts.groups);
      if (isIncomplete)
        process.stderr.write('the directory is incomplete: nobody could count as missing\n');
      if (json) print([{ ...counts, isIncomplete, changes }], { json });
      else {
        for (const change of changes)
          process.stderr.write(`${change.action} ${change.name}: ${change.reason}\n`);
        print([{ ...counts }], { json });
      }
    } catch (error) {
      bar.end();
      throw error instanceof RunFailed ? new CommandError(error.message) : error;
    }
  });
