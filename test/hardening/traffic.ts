import { createHash, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { quantile } from 'simple-statistics';
import { call } from './harness.js';
import type { Answer, Call } from '../support/send.js';

/** The outcome of one call during a fault. */
export interface Outcome {
  /** Status of the answer; 0 when the connection ended without one, -1 when there was no connection. */
  status: number;
  /** Duration in milliseconds. */
  duration: number;
  /** Start in milliseconds on the clock of `performance`. */
  at: number;
}

/** Makes one call and never throws. */
export async function attempt(
  port: number,
  path: string,
  options: Call = {},
): Promise<Outcome & { answer?: Answer }> {
  const at = performance.now();
  try {
    const answer = await call(port, path, options);
    return { status: answer.status, duration: answer.duration, at, answer };
  } catch (error) {
    const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
    return { status: isRefused ? -1 : 0, duration: performance.now() - at, at };
  }
}

/** Callers that continue until they are stopped. */
export interface Traffic {
  outcomes: Outcome[];
  stop(): Promise<void>;
}

/**
 * Starts callers that each call again as soon as they have an answer.
 * @param pause after a call that failed, in milliseconds
 */
export function keepCalling(callers: number, one: () => Promise<Outcome>, pause = 20): Traffic {
  const outcomes: Outcome[] = [];
  let running = true;
  const loop = async (): Promise<void> => {
    while (running) {
      const outcome = await one();
      outcomes.push(outcome);
      if (outcome.status <= 0 || outcome.status >= 500)
        await new Promise((done) => setTimeout(done, pause));
    }
  };
  const loops = Array.from({ length: callers }, loop);
  return {
    outcomes,
    stop: async () => {
      running = false;
      await Promise.all(loops);
    },
  };
}

/** An agent that keeps connections alive between calls. */
export const keepAlive = (connections = 64): Agent =>
  new Agent({ keepAlive: true, maxSockets: connections });

/** A write that the server acknowledged and that must therefore be stored. */
export interface Acknowledged {
  id: string;
  login: string;
  digest: string;
}

/** Writers of users with their passwords and audit lines, and the journal of acknowledged writes. */
export interface Writers extends Traffic {
  journal: Acknowledged[];
}

/** @param target returns the current server; it may change while the writers run */
export function keepWriting(target: () => { port: number; token: string }, writers = 16): Writers {
  const journal: Acknowledged[] = [];
  const traffic = keepCalling(writers, async () => {
    const { port, token } = target();
    const login = `w-${randomUUID()}`;
    const lastName = randomUUID();
    const body = { login, lastName, password: `Aa1!${login}` };
    const outcome = await attempt(port, '/api/v2/directory/users', { method: 'POST', token, body });
    if (outcome.status === 201) {
      const { id } = JSON.parse(outcome.answer!.text) as { id: string };
      journal.push({ id, login, digest: digestOf(login, lastName) });
    }
    return outcome;
  });
  return { ...traffic, journal };
}

const digestOf = (login: string, lastName: string): string =>
  createHash('md5').update(`${login}/${lastName}`).digest('hex');

type Query = (text: string) => Promise<Record<string, unknown>[]>;

/** Finds missing or different entries of the journal, and users that were written only in part. */
export async function compare(
  query: Query,
  journal: Acknowledged[],
): Promise<{ lost: number; partial: number; unacknowledged: number }> {
  const stored = await query(
    `SELECT u.id::text, md5(u.login || '/' || u.last_name) AS digest,
        p.user_id IS NOT NULL AND a.times = 1 AS whole
      FROM users u
      LEFT JOIN passwords p ON p.user_id = u.id
      LEFT JOIN (SELECT object_uri, count(*) AS times FROM audit WHERE action = 'create' GROUP BY object_uri) a
        ON a.object_uri = '/directory/users/' || u.id
      WHERE u.login LIKE 'w-%'`,
  );
  const orphans = await query(
    `SELECT count(*)::int AS count FROM audit a WHERE a.action = 'create' AND a.object_uri LIKE '/directory/users/%'
      AND NOT EXISTS (SELECT FROM users u WHERE '/directory/users/' || u.id = a.object_uri)`,
  );
  const byId = new Map(stored.map(({ id, digest }) => [id, digest]));
  const lost = journal.filter(({ id, digest }) => byId.get(id) !== digest).length;
  const partial = stored.filter(({ whole }) => whole !== true).length;
  return {
    lost,
    partial: partial + Number(orphans[0]!.count),
    unacknowledged: stored.length - journal.length,
  };
}

/** The quantile of durations; 0 without any. */
export const quantileOf = (durations: number[], share: number): number =>
  durations.length === 0 ? 0 : quantile(durations, share);

const NAMES: Record<number, string> = { 0: 'cut', [-1]: 'refused' };

/** How often each status came, e.g. `200×31 503×4`. */
export function tally(outcomes: Outcome[]): string {
  const counts = new Map<number, number>();
  for (const { status } of outcomes) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${NAMES[status] ?? status}×${count}`)
    .join(' ');
}
