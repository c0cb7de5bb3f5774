import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Longest wait for a database to end whose server was killed, in milliseconds. */
const ORPHAN_TIMEOUT = 15_000;

/** Processes that work in a folder. A pid file may name a zombie, or a number that was reused. */
export function processesIn(folder: string): number[] {
  if (!existsSync('/proc/self/cwd')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The folder is used by another server that lives. */
export class FolderInUse extends Error {}

/**
 * Makes a data folder ours: what a killed server left behind is waited for or ended, and its pid
 * file removed.
 * @param folder of everything embedded
 * @param data PostgreSQL's own folder in it
 * @throws FolderInUse
 */
export async function takeOver(folder: string, data: string): Promise<void> {
  const ownerFile = join(folder, 'server.pid');
  const other = readOwner(ownerFile);
  if (other !== undefined && other.pid !== process.pid && startOf(other.pid) === other.start)
    throw new FolderInUse(
      `the embedded database in ${folder} is already in use by process ${other.pid}`,
    );
  await endOrphans(data);
  rmSync(join(data, 'postmaster.pid'), { force: true });
  writeFileSync(ownerFile, `${process.pid} ${startOf(process.pid) ?? ''}\n`);
}

async function endOrphans(data: string): Promise<void> {
  const deadline = Date.now() + ORPHAN_TIMEOUT;
  let orphans = processesIn(data);
  // The first is asked to end; told so twice it would not be quicker.
  for (const pid of orphans) signal(pid, 'SIGINT');
  while (orphans.length > 0) {
    if (Date.now() > deadline)
      throw new Error(`processes ${orphans.join(', ')} still use ${data}: end them first`);
    await delay(50);
    orphans = processesIn(data);
  }
}

function readOwner(file: string): { pid: number; start: string } | undefined {
  if (!existsSync(file)) return undefined;
  const [pid, start = ''] = readFileSync(file, 'utf8').trim().split(' ');
  return { pid: Number(pid), start };
}

/** When a process began, in ticks since the machine did: with its number it names one process. */
function startOf(pid: number): string | undefined {
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
    // It ended by itself.
  }
}
