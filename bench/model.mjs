// Simulates how many calls a second PostgreSQL carries on one machine, with standbys that take reads, and on several machines of which
// each has its tenants: `node bench/model.mjs`. What each call costs PostgreSQL is that of docs/figures.json,
// or of the day in docs/day.json. Calls arrive at random; each keeps one processor for a random time whose mean is the measured one, and waits while
// all are taken. A machine carries as many calls as leave 99 of 100 without a wait of more than 10 ms.
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';

/** What is assumed, because nothing of it is built. */
export const ASSUMED = {
  /** What a standby does for a write, as a share of what the primary does. */
  replay: 0.3,
  /** The share of reads that follow a write of the same person so soon that the primary answers them. */
  soon: 0.05,
  /** The tenants, of which the second has half as many people as the first, the third a third, and so on. */
  tenants: 100,
  /** What a router in front of the machines adds to a call, in milliseconds. */
  router: 0.1,
};

const LONGEST_WAIT = 10;
const CALLS = 30_000;
const STEPS = 8;

/**
 * The share of each call in the traffic of a portal; docs/scaling.md describes it. The calls of the navigation are one, whose cost
 * docs/decisions/0032 has measured with 10,000 people and changes, on a computer with nothing else: in the benchmark of single calls each
 * finds its answer in memory.
 */
const SHARES = {
  navigation: 0.85,
  'a search for a common word': 0.05,
  'a search for a rare word': 0.05,
  'a page of 50 users by name': 0.04,
  'creating a user': 0.01,
};
const NAVIGATION = { server: 0.24, database: 0.11 };

const READ = /search|page/;
const NAVIGATION_OF_DAY = /^(categories|apps|indicator|whole)/;
const WRITE = /^(creating|sign-in|inbox|push|change)/;

const mixed = (kind, share, { server, database }, reads) => ({
  ...{ kind, share, server, database },
  isRead: reads.some((one) => one.test(kind)),
  isWrite: WRITE.test(kind),
});

/** @returns each kind of call with its share and what it costs server and PostgreSQL in milliseconds, where memory answers the navigation */
export const mixOf = (costs) =>
  Object.entries(SHARES).map(([kind, share]) => {
    const cost = kind === 'navigation' ? NAVIGATION : costs.find(({ work }) => work === kind);
    if (cost === undefined) throw new Error(`no cost of: ${kind}`);
    return mixed(kind, share, cost, [READ]);
  });

/** @returns the same of the measured day, in which nearly every call reads; a busy computer made its costs several times as high */
export function mixOfDay({ costs, calls }) {
  const countOf = (kind) =>
    calls.reduce((sum, one) => sum + (one.kind.startsWith(kind) ? one.count : 0), 0);
  // The cost of a sign-in contains the workplace that follows it.
  const counts = costs.map(
    ({ kind }) => countOf(kind) - (kind === 'whole workplace' ? countOf('sign-in') : 0),
  );
  const all = counts.reduce((sum, count) => sum + count, 0);
  return costs.map((cost, at) =>
    mixed(cost.kind, counts[at] / all, cost, [READ, NAVIGATION_OF_DAY]),
  );
}

/** A random number that is the same in each run. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function drawn(weights, point) {
  let left = point;
  const at = weights.findIndex((weight) => (left -= weight) < 0);
  return at < 0 ? weights.length - 1 : at;
}

/** Takes the processor of a machine that is free first. @returns the wait in milliseconds */
function take(machine, now, time) {
  let first = 0;
  for (let at = 1; at < machine.length; at++) if (machine[at] < machine[first]) first = at;
  const start = Math.max(now, machine[first]);
  machine[first] = start + time;
  return start - now;
}

/** @returns the wait in milliseconds that 99 of 100 calls do not exceed, at so many calls a second */
function longestWait(rate, { machines, processors, send }, mix) {
  const random = randomFrom(1);
  const all = Array.from({ length: machines }, () => new Float64Array(processors));
  const shares = mix.map(({ share }) => share);
  const waits = new Float64Array(CALLS);
  let now = 0;
  for (let at = 0; at < CALLS; at++) {
    now += (-Math.log(1 - random()) * 1_000) / rate;
    const call = mix[drawn(shares, random())];
    const time = -Math.log(1 - random()) * call.database;
    waits[at] = send({ call, time, now, random, all });
  }
  return waits.sort()[Math.floor(CALLS * 0.99)];
}

const one = (processors) => ({
  machines: 1,
  processors,
  send: ({ all, now, time }) => take(all[0], now, time),
});

const withStandbys = (standbys, processors) => ({
  machines: 1 + standbys,
  processors,
  send: ({ call, time, now, random, all }) => {
    const [primary, ...others] = all;
    if (call.isRead && random() >= ASSUMED.soon)
      return take(others[Math.floor(random() * standbys)], now, time);
    if (call.isWrite) for (const standby of others) take(standby, now, time * ASSUMED.replay);
    return take(primary, now, time);
  },
});

/** Each tenant is on the machine that had the fewest people when it came, the largest tenants first. */
function byTenant(machines, processors) {
  const people = Array.from({ length: ASSUMED.tenants }, (_, at) => 1 / (at + 1));
  const sum = people.reduce((total, size) => total + size, 0);
  const full = new Array(machines).fill(0);
  const homes = people.map((size) => {
    const home = full.indexOf(Math.min(...full));
    full[home] += size;
    return home;
  });
  return {
    machines,
    processors,
    send: ({ time, now, random, all }) =>
      take(all[homes[drawn(people, random() * sum)]], now, time + ASSUMED.router),
  };
}

/** @returns the most calls a second that a design carries, to two digits */
function mostCalls(design, mix) {
  const mean = mix.reduce((sum, { share, database }) => sum + share * database, 0);
  let [least, most] = [0, (2 * design.machines * design.processors * 1_000) / mean];
  for (let step = 0; step < STEPS; step++) {
    const rate = (least + most) / 2;
    if (longestWait(rate, design, mix) <= LONGEST_WAIT) least = rate;
    else most = rate;
  }
  return Number(least.toPrecision(2));
}

const PROCESSORS = 16;

/** @returns the designs with the most calls a second that each carries: from memory, and with what the calls of the day cost */
export function model(costs, day) {
  const mixes = [mixOf(costs), mixOfDay(day)];
  const designs = [
    ...[8, 16, 32].map((processors) => [
      `one primary with ${processors} processors`,
      one(processors),
    ]),
    ...[1, 2].map((count) => [
      `one with ${PROCESSORS}, and ${count} standby${count > 1 ? 's' : ''} with ${PROCESSORS} for reads`,
      withStandbys(count, PROCESSORS),
    ]),
    ...[2, 4, 8].map((count) => [
      `${count} with ${PROCESSORS}, sharded by tenant`,
      byTenant(count, PROCESSORS),
    ]),
  ];
  return designs.map(([design, plan]) => {
    const [fromMemory, asInTheDay] = mixes.map((mix) => mostCalls(plan, mix));
    return { design, fromMemory, asInTheDay };
  });
}

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
if (import.meta.url === pathToFileURL(argv[1]).href)
  console.table(model(read('docs/figures.json').costs, read('docs/day.json')));
