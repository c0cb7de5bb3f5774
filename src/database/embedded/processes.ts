import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Longest wait for the database of a killed server to end, in milliseconds. */
const ORPHAN_TIMEOUT = 15_000;

const HAS_PROC = existsSync('/proc/self/cwd');

/**
 * PostgreSQL's processes that work in a folder, given by its real path. A pid file alone does not tell: it may name a
 * zombie or a reused number. A shell in the folder must survive.
 */
export function processesIn(folder: string): number[] {
  if (!HAS_PROC) return listedFor(folder);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return false;
        return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Without /proc the working directory is unknown, but the main process has the folder in its arguments. */
function listedFor(folder: string): number[] {
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' });
  return (stdout ?? '')
    .split('\n')
    .filter((line) => line.includes(`postgres -D ${folder} -c`))
    .map((line) => parseInt(line, 10));
}

/** Another running server uses the folder. */
export class FolderInUse extends Error {}

/**
 * Takes over a data folder: waits for the processes of a killed server or ends them, and removes its pid
 * file.
 * @param folder of everything embedded, its real path
 * @param data PostgreSQL's own folder in it
 * @throws FolderInUse
 */
export async function takeOver(folder: string, data: string): Promise<void> {
  // Comes first, because only one of two servers that wait for the same orphans may continue.
  claim(folder);
  await endOrphans(data);
  rmSync(join(data, 'postmaster.pid'), { force: true });
}

/** Releases the folder for the next server. */
export function release(folder: string): void {
  const file = ownerFile(folder);
  if (readOwner(file)?.pid === process.pid) rmSync(file, { force: true });
}

const ownerFile = (folder: string): string => join(folder, 'server.pid');

/** A hard link is created atomically with its content and fails where a file exists: one server wins. */
function claim(folder: string): void {
  const file = ownerFile(folder);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${process.pid} ${startOf(process.pid) ?? ''}\n`);
  try {
    while (!linked(draft, file)) removeStale(file, folder);
  } finally {
    rmSync(draft, { force: true });
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the file away before judging it: another server may have put its own there meanwhile. */
function removeStale(file: string, folder: string): void {
  refuseLiving(readOwner(file), folder);
  const moved = `${file}.${process.pid}.old`;
  try {
    renameSync(file, moved);
  } catch {
    return; // The other server was faster.
  }
  try {
    refuseLiving(readOwner(moved), folder);
  } catch (error) {
    linked(moved, file);
    throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}

function refuseLiving(owner: Owner | undefined, folder: string): void {
  if (owner === undefined || owner.pid === process.pid) return;
  const start = startOf(owner.pid);
  if (start !== undefined && start === owner.start)
    throw new FolderInUse(
      `the embedded database in ${folder} is already in use by process ${owner.pid}`,
    );
}

/** Asks PostgreSQL's processes in a folder to end, and waits for them. */
export async function endOrphans(data: string): Promise<void> {
  const deadline = Date.now() + ORPHAN_TIMEOUT;
  let orphans = processesIn(data);
  // Only the first gets a signal; a second one would not speed it up.
  for (const pid of orphans) signal(pid, 'SIGINT');
  while (orphans.length > 0) {
    if (Date.now() > deadline)
      throw new Error(`processes ${orphans.join(', ')} still use ${data}: end them first`);
    await delay(50);
    orphans = processesIn(data);
  }
}

interface Owner {
  pid: number;
  start: string;
}

function readOwner(file: string): Owner | undefined {
  try {
    const [, pid, start] = /^(\d+) (.*)$/m.exec(readFileSync(file, 'utf8')) ?? [];
    return { pid: Number(pid), start: start ?? '' };
  } catch {
    return undefined;
  }
}

/** The start time of a process: with its pid it identifies one process. */
function startOf(pid: number): string | undefined {
  if (!HAS_PROC) {
    const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout?.trim() || undefined;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended by itself.
  }
}
