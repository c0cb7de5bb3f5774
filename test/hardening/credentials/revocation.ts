import { setTimeout as delay } from 'node:timers/promises';
import { makeUser, openDoors, setParameter, settle, sysadminToken } from './prepare.js';
import { AUTHENTICATION, call, type Harness, startHarness, tokenOf } from '../harness.js';
import type { ReportRow, Section } from '../report-row.js';
import type { ServerProcess } from '../../support/server-process.js';

const INSTANCES = 4;
const SHIFT_CLOCK = new URL('../preload/shift-clock.js', import.meta.url).href;

/** Interval at which every instance is called with a token while one instance revokes it, in milliseconds. */
const WATCH = 10;

/** B9 and B10: a revocation takes effect everywhere within a second, an expiry to the second. */
export const revocation: Section = async (_, report) => {
  const harness = await startHarness();
  await openDoors(harness);
  const servers = await Promise.all(Array.from({ length: INSTANCES }, () => harness.serve()));
  await revoke(harness, servers, report);
  await expire(harness, report);
  await harness.stop();
};

async function revoke(
  harness: Harness,
  servers: ServerProcess[],
  report: (row: ReportRow) => void,
): Promise<void> {
  const { port } = servers[0]!;
  const admin = await tokenOf(port, 'alice.martin');
  const sysadmin = await sysadminToken(port);
  const path = (id: string) => `/api/v2/directory/users/${id}`;
  const patch = (id: string, name: string, value: unknown) =>
    call(port, path(id), {
      method: 'PATCH',
      token: admin,
      body: [{ op: 'replace', path: `/${name}`, value }],
    });
  const rule = 'com.platform.security.ExternalAuthenticationAction.allowedAddresses';
  const kinds: [string, (id: string, token: string) => Promise<{ status: number }>, string?][] = [
    ['sign-out', (_, token) => call(port, AUTHENTICATION, { method: 'DELETE', token })],
    [
      'password change',
      (id) =>
        call(port, `${path(id)}/password`, {
          method: 'PUT',
          token: admin,
          body: { password: 'Another-Password-7' },
        }),
    ],
    ['deactivation', (id) => patch(id, 'status', 0)],
    ['deletion', (id) => call(port, path(id), { method: 'DELETE', token: admin })],
    ['role', (id) => patch(id, 'administrator', false), '/api/v2/administration/audit?range=0-1'],
    [
      'IP allowlist',
      () =>
        call(port, `/api/v2/administration/parameters/${rule}?force=true`, {
          method: 'PUT',
          token: sysadmin,
          body: { value: '10.0.0.0/8' },
        }),
    ],
  ];
  const found: string[] = [];
  let worst = 0;
  for (const [kind, act, watched = AUTHENTICATION] of kinds) {
    const id = await makeUser(port, admin, `revoked.${found.length}`);
    if (kind === 'role') await patch(id, 'administrator', true);
    const token = await tokenOf(port, `revoked.${found.length}`);
    const watchers = servers.map((server) => watch(server, token, watched));
    await delay(300);
    const { status } = await act(id, token);
    if (status >= 300) throw new Error(`${kind} answered ${status}`);
    const done = performance.now();
    await delay(2_500);
    const accepted = await Promise.all(watchers.map((watcher) => watcher.stop()));
    const latest = Math.max(...accepted.map((sent) => sent - done));
    worst = Math.max(worst, latest);
    found.push(`${kind} ${latest <= 0 ? 'at once' : `${latest.toFixed(0)} ms`}`);
    if (kind === 'IP allowlist')
      await setParameter(harness, rule.replace('com.platform.', ''), '127.0.0.0/8');
  }
  await settle();
  report({
    id: 'B9',
    goal: `revoked at one of ${INSTANCES} instances: refused at all of them within 1 s, never accepted later`,
    figure: `last accepted call began, after the revocation was answered: ${found.join(', ')}`,
    met: worst <= 1_000,
  });
}

/** Calls continuously; `stop` returns the start of the last accepted call. */
function watch({ port }: ServerProcess, token: string, path: string): { stop(): Promise<number> } {
  let running = true;
  let last = -Infinity;
  const ask = async (): Promise<void> => {
    while (running) {
      const began = performance.now();
      const { status } = await call(port, path, { token });
      if (status === 200) last = Math.max(last, began);
      await delay(WATCH);
    }
  };
  const asking = ask();
  return {
    stop: async () => {
      running = false;
      await asking;
      return last;
    },
  };
}

async function expire(harness: Harness, report: (row: ReportRow) => void): Promise<void> {
  await setParameter(harness, 'security.Token.lifetime', '6');
  const shifted = await Promise.all(
    [0, -86_400_000, 7_200_000].map((shift) =>
      harness.serve({ CLOCK_SHIFT: String(shift) }, ['--import', SHIFT_CLOCK]),
    ),
  );
  const wrong: string[] = [];
  for (const issuer of shifted) {
    const token = await tokenOf(issuer.port, 'bruno.keller');
    const rows = await harness.query<{ left: number }>(
      'SELECT (extract(epoch FROM expiration - clock_timestamp()) * 1000)::float AS left FROM tokens ORDER BY id DESC LIMIT 1',
    );
    const left = rows[0]!.left;
    const statuses = () =>
      Promise.all(
        shifted.map(async ({ port }) => (await call(port, AUTHENTICATION, { token })).status),
      );
    await delay(left - 1_000);
    const before = await statuses();
    await delay(2_000);
    const after = await statuses();
    if (before.some((status) => status !== 200) || after.some((status) => status !== 401))
      wrong.push(`${before.join()} then ${after.join()}`);
  }
  await setParameter(harness, 'security.Token.lifetime', '3600');
  report({
    id: 'B10',
    goal: 'accepted a second before its expiration, refused a second after it, whatever the clocks of the servers',
    figure: `clocks right, a day behind, two hours ahead, as issuer and as checker: ${wrong.length === 0 ? '9 × 200 and then 9 × 401' : wrong.join('; ')}`,
    met: wrong.length === 0,
  });
}
