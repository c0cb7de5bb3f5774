import { setTimeout as delay } from 'node:timers/promises';
import { tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import { compare, keepWriting, tally } from '../traffic.js';
import { Cluster, postgresBin, startSwitch } from '../../support/debian-postgres.js';
import { prepareDatabase } from '../../support/prepare-database.js';
import { startServerProcess } from '../../support/server-process.js';
import { until } from '../../support/until.js';

const C3 = {
  id: 'C3',
  goal: 'synchronous standby promoted behind a port switch: 0 acknowledged lost, writes back ≤3 s',
};

/** C3. */
export const failover: Section = async ({ scale }, report) => {
  const bin = postgresBin();
  if (bin === undefined)
    return report({ ...C3, figure: 'skipped: no pg_basebackup (set POSTGRES_BIN)', met: true });
  await measure(C3, report, () => failOver(bin, rounds(20, scale)));
};

async function failOver(bin: string, count: number) {
  const cluster = new Cluster(bin);
  const totals = { acknowledged: 0, lost: 0, partial: 0, unacknowledged: 0 };
  const backs: number[] = [];
  const statuses: string[] = [];
  try {
    const template = cluster.initialize('template');
    const first = await cluster.start(template);
    await first.query('CREATE DATABASE platform');
    await prepareDatabase({ url: urlOf(first.port) });
    await first.end('SIGINT');
    for (let round = 0; round < count; round++) {
      const { writers, stored, back } = await one(cluster, template, round);
      totals.acknowledged += writers.journal.length;
      totals.lost += stored.lost;
      totals.partial += stored.partial;
      totals.unacknowledged += stored.unacknowledged;
      backs.push(back ?? Infinity);
      statuses.push(tally(writers.outcomes));
    }
  } finally {
    await cluster.stop();
  }
  const slowest = Math.max(...backs);
  return {
    figure: `${count} rounds, ${totals.acknowledged} acknowledged, ${totals.lost} lost, ${totals.partial} half-written, ${totals.unacknowledged} present without acknowledgement; writes back after at most ${Math.round(slowest)} ms; last round ${statuses.at(-1)}`,
    met:
      totals.lost === 0 &&
      totals.partial === 0 &&
      slowest <= 3_000 &&
      statuses.every((all) => /^(\d+×\d+ ?)+$/.test(all) && !all.includes('500×')),
  };
}

async function one(cluster: Cluster, template: string, round: number) {
  const data = cluster.path(`primary-${round}`);
  cluster.run('/bin/cp', ['-a', template, data]);
  const primary = await cluster.start(data, { synchronous_standby_names: '*' });
  const standbyData = cluster.path(`standby-${round}`);
  const source = `host=127.0.0.1 port=${primary.port} user=postgres`;
  cluster.run('pg_basebackup', [
    '-D',
    standbyData,
    '-R',
    '-C',
    '-S',
    'sb',
    '-d',
    source,
    '-c',
    'fast',
  ]);
  const standby = await cluster.start(standbyData);
  const gate = await startSwitch(primary.port);
  const server = await startServerProcess({ DATABASE_URL: urlOf(gate.port), LOG_LEVEL: 'error' });
  try {
    const token = await tokenOf(server.port, 'alice.martin');
    const writers = keepWriting(() => ({ port: server.port, token }), 16);
    await delay(1_000 + Math.random() * 1_000);
    await primary.end('SIGKILL');
    cluster.run('pg_ctl', ['promote', '-D', standbyData, '-w']);
    gate.to(standby.port);
    const before = writers.journal.length;
    const back = await until(() => Promise.resolve(writers.journal.length > before), {
      within: 10_000,
    });
    await delay(300);
    await writers.stop();
    const stored = await compare((text) => standby.query(text, 'platform'), writers.journal);
    return { writers, stored, back };
  } finally {
    server.child.kill('SIGKILL');
    gate.close();
    await standby.end('SIGQUIT');
  }
}

const urlOf = (port: number): string => `postgresql://postgres@127.0.0.1:${port}/platform`;
