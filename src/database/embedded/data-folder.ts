import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Privileges } from './privileges.js';
import { endOrphans } from './processes.js';

/** The paths of one platform's package. */
export interface Programs {
  postgres: string;
  initdb: string;
}

export const SUPERUSER = 'postgres';

/** The shortest limit of any system for the path of a socket: that of macOS. */
const MAX_SOCKET_PATH = 103;

/**
 * The folder's real path, for comparison with working directories, which hold no symbolic links. Where root
 * runs PostgreSQL under another user id, only root may enter: another process with that id could otherwise
 * change the settings of a process that bypasses file permissions.
 * @throws Error when it belongs to another user
 */
export function privateFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const folder = realpathSync(path);
  const us = process.getuid?.();
  const data = join(folder, 'postgres');
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (us !== 0 && existsSync(data)) accessSync(data, constants.R_OK | constants.W_OK);
  } catch {
    throw new Error(
      `the embedded database in ${folder} belongs to another user: start the server as that user, or remove the folder`,
    );
  }
  if (us !== undefined && statSync(folder).uid === us) chmodSync(folder, 0o700);
  return folder;
}

/**
 * Creates the data folder unless it exists: beside its place, then moved there whole, so that a killed start
 * leaves nothing. The temporary name is new each time, since a killed start may still be cleaning up.
 */
export async function createData(
  folder: string,
  data: string,
  { initdb }: Programs,
  { prefix, owner }: Privileges,
): Promise<void> {
  await removeUnfinished(folder);
  if (existsSync(data)) return giveTo(owner, data);
  const unfinished = `${data}.new.${process.pid}`;
  mkdirSync(unfinished, { mode: 0o700 });
  giveTo(owner, unfinished);
  const [command, ...args] = [
    ...prefix,
    initdb,
    `--pgdata=${unfinished}`,
    `--username=${SUPERUSER}`,
    // PostgreSQL trusts every process that can enter the socket's folder; only its owner can.
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: folder });
  if (status !== 0)
    throw new Error(`the embedded database cannot be created: ${error?.message ?? stderr}`);
  renameSync(unfinished, data);
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((name) => name.startsWith('postgres.new'))) {
    const unfinished = join(folder, name);
    await endOrphans(unfinished);
    // The process that made it may be removing it as well.
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** Gives the files their owner after a change between root and an ordinary user. */
function giveTo(owner: number | undefined, path: string): void {
  if (owner === undefined || statSync(path).uid === owner) return;
  for (const name of readdirSync(path, { recursive: true }) as string[]) {
    const entry = join(path, name);
    if (!lstatSync(entry).isSymbolicLink()) chownSync(entry, owner, owner);
  }
  chownSync(path, owner, owner);
}

/** Where the socket of a folder is: in it, or in a folder whose path is short enough for the system. */
export function socketPath(folder: string, name: string): string {
  const near = join(folder, 'socket');
  if (Buffer.byteLength(join(near, name)) <= MAX_SOCKET_PATH) return near;
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return join(tmpdir(), `process-platform-${hash}`);
}

/** Recreates the socket's folder: a lock file in an old one names a process that has ended. */
export function socketFolder(folder: string, name: string, { owner }: Privileges): string {
  const path = socketPath(folder, name);
  const fits = path === join(folder, 'socket');
  const there = lstatSync(path, { throwIfNoEntry: false });
  // Every user may write into the temporary folder; only a folder that we or PostgreSQL own is ours.
  if (there && !fits && there.uid !== process.getuid?.() && there.uid !== owner)
    throw new Error(`${path} is not a folder of ours: remove it`);
  rmSync(path, { recursive: true, force: true });
  // Owned by us, not by PostgreSQL's user id: another process with that id could enter and be trusted.
  mkdirSync(path, { mode: 0o700 });
  return path;
}
