import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchServer } from '../support/bench-server.js';
import { load, type Requests, type Rounds } from './load.js';

/** Processor time of one call, in milliseconds. Other load on the computer hardly changes it. */
export interface Cost {
  work: string;
  server: number;
  database: number;
}

/** Few connections, because an overloaded server rejects requests. */
const CONNECTIONS = 4;

/** Clock ticks per second in /proc, a constant of Linux. */
export const TICKS = 100;

/** The fields of /proc/PID/stat after the name, which may contain any character; none when the process has ended. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Seconds of processor time that a process and its ended children have used. */
const timeOf = (pid: number): number =>
  statOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;

/** A process and its children. */
export function familyOf(parent: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(statOf(pid)[1]) === parent);
  return [parent, ...children];
}

function processesOfDatabase({ folder }: BenchServer): number[] {
  const file = join(folder, '.data', 'postgres', 'postmaster.pid');
  return familyOf(Number(readFileSync(file, 'utf8').split('\n')[0]));
}

/** Seconds of processor time that processes have used. */
export const timeOfAll = (processes: number[]): number =>
  processes.reduce((sum, pid) => sum + timeOf(pid), 0);

const timeOfDatabase = (server: BenchServer): number => timeOfAll(processesOfDatabase(server));

/** The title that PostgreSQL gives a process that works for a client. */
const SESSION = /^postgres: platform platform /;

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Milliseconds of processor time that the present sessions of a server have used, to the microsecond. */
export const processorTimeOfSessions = (server: BenchServer): number =>
  processesOfDatabase(server)
    .filter((pid) => SESSION.test(read(`/proc/${pid}/cmdline`)))
    .reduce((sum, pid) => sum + Number(read(`/proc/${pid}/schedstat`).split(' ')[0]), 0) / 1e6;

/** Seconds of processor time that a server and its PostgreSQL have used. */
export const processorTime = (server: BenchServer): { server: number; database: number } => ({
  server: timeOf(server.pid),
  database: timeOfDatabase(server),
});

/**
 * The processor time of a call to a program on the database of a server, and of PostgreSQL for it, in milliseconds. What sends
 * the calls takes as much again, which is part of a comparison of rates and not of this.
 */
export async function costOfCall(
  server: BenchServer,
  { port, pid }: { port: number; pid: number },
  requests: Requests,
  seconds: number,
): Promise<number> {
  const used = (): number => timeOf(pid) + timeOfDatabase(server);
  const before = used();
  const { total } = await load(port, requests, { seconds });
  return ((used() - before) * 1_000) / total;
}

/** Measures the processor time that each workload costs the server and PostgreSQL. */
export async function costs(
  server: BenchServer,
  works: Record<string, Requests>,
  { seconds, pairs }: Rounds,
): Promise<Cost[]> {
  const made: Cost[] = [];
  for (const [work, requests] of Object.entries(works)) {
    await load(server.port, requests, { seconds, connections: CONNECTIONS });
    const before = processorTime(server);
    let calls = 0;
    for (let pair = 0; pair < pairs; pair++)
      calls += (await load(server.port, requests, { seconds, connections: CONNECTIONS })).total;
    const after = processorTime(server);
    const milliseconds = (used: number): number => Number(((used / calls) * 1_000).toFixed(2));
    made.push({
      work,
      server: milliseconds(after.server - before.server),
      database: milliseconds(after.database - before.database),
    });
  }
  return made;
}
