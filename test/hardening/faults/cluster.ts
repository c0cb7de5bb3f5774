import { setTimeout as delay } from 'node:timers/promises';
import { type ClusteredPortal, startClusteredPortal } from '../../support/clustered-portal.js';
import {
  noClusterBecause,
  type PatroniCluster,
  type PatroniNode,
} from '../../support/patroni-cluster.js';
import { until } from '../../support/until.js';
import { AUTHENTICATION, tokenOf } from '../harness.js';
import { measure, rounds, type Section } from '../report-row.js';
import {
  type Acknowledged,
  attempt,
  compare,
  keepCalling,
  keepWriting,
  type Outcome,
  tally,
} from '../traffic.js';
import { FeedFollower } from './followers.js';

/** Writers create users with passwords, whose digests occupy the processors. */
const WRITERS = 4;
const READERS = 4;

/** How long a write may stay away before a round gives up, in milliseconds. */
const GIVE_UP = 90_000;

/** The time between two writes past HAProxy on the same node, in milliseconds. */
const PROBING = 200;

/** How long a standby or one member of etcd is away, in milliseconds: two rounds of Patroni. */
const HELD = 10_000;

/** How long etcd has no quorum, in milliseconds: long enough that Patroni has demoted the primary. */
const WITHOUT_QUORUM = 20_000;

/** Does harm to the cluster. @returns how it ends, once writes are back */
type Fault = (cluster: PatroniCluster) => Promise<() => void>;

const ends = (): void => undefined;

/** What may happen to the cluster. */
export const FAULTS = {
  'PostgreSQL of the primary killed': async (cluster) => {
    cluster.killPostgres(await cluster.primary());
    return ends;
  },
  'whole node of the primary killed': async (cluster) => {
    const node = await cluster.primary();
    cluster.kill(node);
    return () => cluster.startPatroni(node);
  },
  'primary cut off from the other nodes': async (cluster) => {
    const node = await cluster.primary();
    cluster.cutOff(node);
    return () => cluster.heal(node);
  },
  'synchronous standby killed': async (cluster) => {
    const node = await cluster.standby('sync');
    cluster.kill(node);
    await delay(HELD);
    return () => cluster.startPatroni(node);
  },
  'member of etcd killed': async (cluster) => {
    const node = await cluster.primary();
    cluster.killEtcd(node);
    await delay(HELD);
    return () => cluster.startEtcd(node);
  },
  'quorum of etcd lost': async (cluster) => {
    const [one, two] = cluster.nodes as [PatroniNode, PatroniNode, PatroniNode];
    for (const node of [one, two]) cluster.killEtcd(node);
    await delay(WITHOUT_QUORUM);
    for (const node of [one, two]) cluster.startEtcd(node);
    return ends;
  },
  'switchover by hand': async (cluster) => {
    await cluster.control('switchover', '--force');
    return ends;
  },
  'standby initialized again': async (cluster) => {
    const { name } = await cluster.standby('async');
    await cluster.control('reinit', name, '--force', '--wait');
    return ends;
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

/** The rows of C17: at most how long writes may be away, in milliseconds; without it, no call may fail. */
const ROWS: { fault: FaultName; count: number; within?: number }[] = [
  { fault: 'PostgreSQL of the primary killed', count: 20, within: 10_000 },
  { fault: 'whole node of the primary killed', count: 20, within: 25_000 },
  { fault: 'primary cut off from the other nodes', count: 10, within: GIVE_UP },
  { fault: 'synchronous standby killed', count: 10 },
  { fault: 'member of etcd killed', count: 10 },
  { fault: 'quorum of etcd lost', count: 5, within: GIVE_UP },
  { fault: 'switchover by hand', count: 5, within: GIVE_UP },
  { fault: 'standby initialized again', count: 5, within: GIVE_UP },
];

/** How long a revoked session may be served, in milliseconds. */
const REVOKED_WITHIN = 1_000;

/** C17: Patroni with three nodes, HAProxy, two servers. */
export const clusterFaults: Section = async ({ scale }, report) => {
  const missing = noClusterBecause();
  const goalOf = ({ fault, within }: (typeof ROWS)[number]): string =>
    `${fault}: 0 acknowledged lost, 0 stale, ${within === undefined ? '0 failed calls' : within < GIVE_UP ? `writes back within ${within / 1_000} s` : 'writes back by themselves'}`;
  if (missing !== undefined) {
    for (const row of ROWS)
      report({ id: 'C17', goal: goalOf(row), figure: `skipped: ${missing}`, met: true });
    return;
  }
  const portal = await startClusteredPortal();
  const slowestRevocations: number[] = [];
  try {
    const check = new ClusterCheck(portal);
    for (const row of ROWS)
      await measure({ id: 'C17', goal: goalOf(row) }, report, async () => {
        const results: RoundResult[] = [];
        for (let round = 0; round < rounds(row.count, scale); round++)
          results.push(await check.round(row.fault));
        slowestRevocations.push(...results.map(({ revoked }) => revoked));
        return {
          figure: figureOf(results),
          met: results.every(
            (result) =>
              wrongIn(result).length === 0 &&
              result.away <= (row.within ?? GIVE_UP) &&
              (row.within !== undefined || result.failed === 0),
          ),
        };
      });
    const slowest = Math.max(...slowestRevocations);
    report({
      id: 'C17',
      goal: 'revoked session, before and right after each fault: refused by both servers within 1 s',
      figure: `${slowestRevocations.length} sessions, at most ${Math.round(slowest)} ms`,
      met: slowest <= REVOKED_WITHIN,
    });
  } finally {
    await portal.stop();
  }
};

/** The result of one round. */
export interface RoundResult {
  acknowledged: number;
  lost: number;
  partial: number;
  /** Users of whom a consumer of the change feed has no copy, or another revision. */
  feed: string[];
  /** Reads that were older than an acknowledged write, or of a session that had been revoked. */
  stale: string[];
  /** Writes past HAProxy that were acknowledged and are not stored, or by a former primary after the new one. */
  split: string[];
  /** The longest time without an acknowledged write, in milliseconds. */
  away: number;
  /** The time until a session that was revoked right afterwards was refused by both servers, in milliseconds. */
  revoked: number;
  /** Calls through HAProxy, and those of them that failed. */
  outcomes: Outcome[];
  failed: number;
  /** Statuses that no client of a failover should see. */
  unexpected: string;
}

/** What must not be in any round, in words. */
export const wrongIn = ({
  lost,
  partial,
  feed,
  stale,
  split,
  unexpected,
  revoked,
}: RoundResult) => [
  ...(lost > 0 ? [`${lost} lost`] : []),
  ...(partial > 0 ? [`${partial} half-written`] : []),
  ...(unexpected === '' ? [] : [`answers ${unexpected}`]),
  ...(revoked > REVOKED_WITHIN ? [`a revoked session served for ${Math.round(revoked)} ms`] : []),
  ...feed,
  ...stale,
  ...split,
];

function figureOf(results: RoundResult[]): string {
  const sum = (of: (result: RoundResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  const away = results.map((result) => result.away).sort((one, other) => one - other);
  const wrong = results.flatMap(wrongIn);
  return `${results.length} rounds, ${sum(({ acknowledged }) => acknowledged)} acknowledged, ${sum(({ lost }) => lost)} lost, ${sum(({ partial }) => partial)} half-written, ${sum(({ stale }) => stale.length)} stale, ${sum(({ split }) => split.length)} on two sides, ${sum(({ feed }) => feed.length)} wrong in the feed; writes away ${Math.round(away[0]!)} to ${Math.round(away.at(-1)!)} ms; answers ${tally(results.flatMap(({ outcomes }) => outcomes))}${wrong.length > 0 ? `; first wrong: ${wrong[0]}` : ''}`;
}

/** Runs rounds on one portal; what was acknowledged in one must still be stored after the next. */
export class ClusterCheck {
  private readonly journal: Acknowledged[] = [];
  private turn = 0;
  private title = 0;

  constructor(private readonly portal: ClusteredPortal) {}

  /** Lets a fault happen under traffic, ends it, waits until the cluster is whole, and compares. */
  async round(fault: FaultName): Promise<RoundResult> {
    const { cluster } = this.portal;
    await cluster.untilWhole();
    const token = await this.signIn();
    const traffic = await this.startTraffic(token);
    let leaving: string;
    let struck: number;
    let revoked: number;
    try {
      await delay(1_000 + Math.random() * 500);
      leaving = await this.signIn();
      await this.revoke(leaving);
      struck = performance.now();
      const end = await FAULTS[fault](cluster);
      const isBack = (): Promise<boolean> =>
        Promise.resolve(
          traffic.writers.outcomes.some(({ at, status }) => at > struck && status === 201),
        );
      await until(isBack, { within: GIVE_UP });
      revoked = await this.timeToRefuse();
      end();
      await cluster.untilWhole();
      await delay(1_000);
    } finally {
      // The traffic of a round that failed would disturb the next one.
      await traffic.stop();
    }
    const { writers, readers, probe, consumer, stale } = traffic;
    this.journal.push(...writers.journal);
    const primary = await cluster.primary();
    const query = (text: string) => cluster.query<Record<string, unknown>>(primary, text);
    const users = await query('SELECT id::text, revision FROM users');
    await consumer.catchUp();
    const { lost, partial } = await compare(query, this.journal);
    const outcomes = [...writers.outcomes, ...readers.outcomes];
    if ((await this.servedBy(leaving)).length > 0) stale.push('a session revoked before the fault');
    for (const server of this.portal.servers)
      if (!server.isAlive()) stale.push(`a server ended: ${server.printed()}`);
    return {
      acknowledged: writers.journal.length,
      lost,
      partial,
      feed: consumer.differences(users.map(({ id, revision }) => [String(id), Number(revision)])),
      stale,
      split: probe.differences(await query('SELECT n FROM probes')),
      away: longestPause(writers.outcomes, struck),
      revoked,
      outcomes,
      failed: outcomes.filter(({ status }) => ![200, 201].includes(status)).length,
      unexpected: tally(outcomes.filter(({ status }) => ![200, 201, 503].includes(status))),
    };
  }

  private async startTraffic(token: string) {
    const { entrance, cluster } = this.portal;
    const probe = new NodeProbe(cluster);
    await probe.prepare();
    const writers = keepWriting(() => ({ port: entrance, token }), WRITERS);
    const paths = [
      '/api/v2/directory/users?range=0-20',
      '/navigation/workplace',
      '/navigation/search/workplace?searchName=workplace_searchUsers&searchField=quickSearch&query=ma',
    ];
    const readers = keepCalling(READERS, () =>
      attempt(entrance, paths[this.turn++ % paths.length]!, { token }),
    );
    const consumer = new FeedFollower(() => entrance, token, 'users');
    const stale: string[] = [];
    let running = true;
    const goesOn = (): boolean => running;
    const all = [
      consumer.follow(goesOn),
      probe.run(goesOn),
      this.renameAndRead(token, goesOn, stale),
    ];
    const stop = async (): Promise<void> => {
      running = false;
      await Promise.all([writers.stop(), readers.stop(), ...all]);
    };
    return { writers, readers, consumer, probe, stale, stop };
  }

  /** Renames a category, and reads the workplaces, which both servers answer from memory. */
  private async renameAndRead(token: string, goesOn: () => boolean, stale: string[]) {
    const { entrance, servers } = this.portal;
    let uri = '';
    const isListed = async (): Promise<boolean> => {
      const { answer } = await attempt(entrance, '/navigation/workplace/categories', { token });
      [{ uri }] = JSON.parse(answer!.text) as [{ uri: string }];
      return true;
    };
    await until(isListed);
    let acknowledged = this.title;
    const rename = async (): Promise<void> => {
      while (goesOn()) {
        const title = ++this.title;
        const body = [{ op: 'replace', path: '/title', value: `Title ${title}.` }];
        const { status } = await attempt(entrance, `/api/v2${uri}`, {
          method: 'PATCH',
          token,
          body,
        });
        if (status === 200) acknowledged = title;
        await delay(100);
      }
    };
    const read = async (port: number): Promise<void> => {
      while (goesOn()) {
        const least = acknowledged;
        const { status, answer } = await attempt(port, '/navigation/workplace', { token });
        const found = Number(/Title (\d+)\./.exec(answer?.text ?? '')?.[1]);
        if (status === 200 && found < least) stale.push(`title ${found} was read after ${least}`);
        await delay(20);
      }
    };
    await Promise.all([rename(), ...servers.map(({ port }) => read(port))]);
  }

  /** Signs in, ends that session, and measures how long a server takes to refuse it. */
  private async timeToRefuse(): Promise<number> {
    const token = await this.signIn();
    await this.revoke(token);
    const isRefused = async (): Promise<boolean> => (await this.servedBy(token)).length === 0;
    return (await until(isRefused, { within: GIVE_UP })) ?? Infinity;
  }

  /** @returns the token of a session that both servers answer */
  private async signIn(): Promise<string> {
    let token = '';
    const isSignedIn = async (): Promise<boolean> => {
      token = await tokenOf(this.portal.entrance, 'alice.martin');
      return (await this.servedBy(token)).length === 2;
    };
    if ((await until(isSignedIn, { within: GIVE_UP })) === undefined)
      throw new Error('nobody can sign in');
    return token;
  }

  /** Ends a session; a repeated call finds it ended already. */
  private async revoke(token: string): Promise<void> {
    const isRevoked = async (): Promise<boolean> => {
      const options = { method: 'DELETE', token };
      return [204, 401].includes(
        (await attempt(this.portal.entrance, AUTHENTICATION, options)).status,
      );
    };
    if ((await until(isRevoked, { within: GIVE_UP })) === undefined)
      throw new Error('a session cannot be ended');
  }

  /** The servers that answer a session. */
  private async servedBy(token: string): Promise<number[]> {
    const ports = this.portal.servers.map(({ port }) => port);
    const answers = await Promise.all(
      ports.map((port) => attempt(port, AUTHENTICATION, { token })),
    );
    return ports.filter((_, index) => answers[index]!.status === 200);
  }
}

/** Writes to each node directly, past HAProxy and Patroni, to find two that accept writes. */
class NodeProbe {
  private readonly acknowledged: { n: number; node: string; at: number }[] = [];
  private n = 0;

  constructor(private readonly cluster: PatroniCluster) {}

  async prepare(): Promise<void> {
    const primary = await this.cluster.primary();
    await this.cluster.query(primary, 'DROP TABLE IF EXISTS probes');
    await this.cluster.query(primary, 'CREATE TABLE probes (n int PRIMARY KEY)');
  }

  /** Writes while a condition holds. */
  async run(goesOn: () => boolean): Promise<void> {
    const write = async (node: PatroniNode): Promise<void> => {
      while (goesOn()) {
        const n = ++this.n;
        const at = performance.now();
        await this.cluster.query(node, `INSERT INTO probes VALUES (${n})`).then(
          () => this.acknowledged.push({ n, node: node.name, at }),
          () => undefined,
        );
        await delay(PROBING);
      }
    };
    await Promise.all(this.cluster.nodes.map(write));
  }

  /** What is wrong, in words: lost writes, and a primary that accepts writes again after another one. */
  differences(stored: Record<string, unknown>[]): string[] {
    const kept = new Set(stored.map(({ n }) => n));
    const lost = this.acknowledged.filter(({ n }) => !kept.has(n));
    const terms = [...this.acknowledged]
      .sort((one, other) => one.at - other.at)
      .map(({ node }) => node)
      .filter((node, index, all) => node !== all[index - 1]);
    return [
      ...lost.map(({ node }) => `${node} acknowledged a write that is not stored`),
      ...(new Set(terms).size < terms.length ? [`primaries took turns: ${terms.join(', ')}`] : []),
    ];
  }
}

/** The longest time between two acknowledged writes after a moment, in milliseconds. */
function longestPause(outcomes: Outcome[], since: number): number {
  const times = outcomes
    .filter(({ status }) => status === 201)
    .map(({ at, duration }) => at + duration)
    .filter((at) => at > since)
    .sort((one, other) => one - other);
  return Math.max(...times.map((at, index) => at - (times[index - 1] ?? since)), 0) || Infinity;
}
