import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Config } from '../base/config/config.js';
import { VERSION } from '../base/config/version.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { recordAudit } from '../security/audit.service.js';
import { backUp } from '../transfer/backup.js';
import { restore } from '../transfer/restore.js';
import { writeFile } from './files.js';
import { SHIPPED } from './migrate.actions.js';
import { CommandError, print, type PrintOptions } from './output.js';
import { progress } from './progress.js';
import { commandLine, withDatabase, withTables } from './with-database.js';

/** The shortest passphrase; a shorter one could be guessed. */
const MIN_KEY = 32;

interface KeyOptions {
  keyFile?: string;
}

interface BackupCommandOptions extends PrintOptions, KeyOptions {
  overwrite?: boolean;
}

interface RestoreCommandOptions extends PrintOptions, KeyOptions {
  force?: boolean;
  asSuperuser?: boolean;
}

export async function runBackup(
  path: string,
  { keyFile, overwrite = false, ...options }: BackupCommandOptions,
): Promise<void> {
  // Checked first, because reading a large database takes minutes.
  if (!overwrite && existsSync(path))
    throw new CommandError(`${path} exists: use another name, or replace it with --overwrite`);
  const key = await readKey(keyFile);
  const bar = progress('writing tables');
  let done = 0;
  const rows = await withTables(async (config) => {
    const written = await writeFile(path, (write) =>
      backUp(config, { server: VERSION, key, write, progress: () => bar.update(++done) }),
    );
    await recordBackup(config);
    return written;
  });
  bar.end();
  if (path !== '-') print(countsOf(rows), options);
}

/** Records that all data was copied, and when: metrics read the age of the last backup from the audit trail. */
const recordBackup = (config: Config): Promise<void> =>
  DedicatedConnection.on(config, async (session) => {
    const [row] = await session.rows({ text: 'SELECT pg_is_in_recovery()', values: [] });
    // A standby can be copied, but takes no line.
    if (row?.[0] === false) await recordAudit(session, commandLine(), { action: 'backup' });
  });

export async function runRestore(
  path: string,
  { force = false, asSuperuser = false, keyFile, ...options }: RestoreCommandOptions,
): Promise<void> {
  const key = await readKey(keyFile);
  const bar = progress('loading tables');
  let done = 0;
  const rows = await withDatabase((config) =>
    restore(config, {
      path,
      key,
      plan: SHIPPED,
      force,
      asSuperuser,
      auditContext: commandLine(),
      progress: () => bar.update(++done),
    }),
  );
  bar.end();
  print(countsOf(rows), options);
}

async function readKey(file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(`cannot read the key file ${file}`);
  });
  const key = text.trimEnd();
  if (key.length < MIN_KEY)
    throw new CommandError(
      `the key in ${file} is too short: make one of at least ${MIN_KEY} characters with openssl rand -hex 32`,
    );
  return Buffer.from(key);
}

const countsOf = (tables: Record<string, number>): Record<string, unknown>[] =>
  Object.entries(tables).map(([table, rows]) => ({ table, rows }));
