import { DedicatedConnection } from '../database/dedicated-connection.js';
import { providers } from '../directory/provider.resource.js';
import { RunFailed } from '../synchronization/run-records.js';
import { synchronize } from '../synchronization/synchronize.js';
import { directoryOf } from '../synchronization/directory.js';
import { DirectoryUnreadable } from '../synchronization/ldap-connection.js';
import { testConnection } from '../synchronization/test-connection.js';
import { testPerson } from '../synchronization/test-person.js';
import { idOf } from './id-of.js';
import { CommandError, print, type PrintOptions } from './output.js';
import { progress } from './progress.js';
import { withTables } from './with-database.js';

interface SyncOptions extends PrintOptions {
  dryRun?: boolean;
  withoutBrake?: boolean;
  incremental?: boolean;
}

/** `directories test` */
export const test = (
  name: string,
  { person, json = false }: PrintOptions & { person?: string },
): Promise<void> =>
  withTables(async (config) => {
    const directory = await DedicatedConnection.on(config, async (session) =>
      directoryOf(session, config, await idOf(session, providers, name)),
    );
    if (person === undefined) {
      const servers = await testConnection(directory.settings, directory.password);
      print(
        servers.map((server) => ({ ...server })),
        { json },
      );
      if (servers.some(({ step }) => step !== 'done'))
        throw new CommandError('not every server of the directory can be read');
      return;
    }
    const entries = await testPerson(config, directory, person).catch((error: unknown) => {
      throw error instanceof DirectoryUnreadable ? new CommandError(error.message) : error;
    });
    if (entries.length === 0)
      throw new CommandError(`the directory has no person with the login ${person}`);
    if (json)
      return void print(
        entries.map((entry) => ({ ...entry })),
        { json },
      );
    for (const { attributes, values, dn, ...outcome } of entries) {
      process.stdout.write(`${dn}\n\n`);
      print(
        attributes.map(({ name: attribute, values: given, isSecret }) => ({
          attribute,
          values: isSecret ? '(secret)' : given.join(', '),
        })),
        { json },
      );
      process.stdout.write('\n');
      print(
        Object.entries(values).map(([ours, value]) => ({ ours, value })),
        { json },
      );
      process.stdout.write('\n');
      print([outcome], { json });
    }
  });

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
