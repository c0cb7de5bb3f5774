import { setTimeout as delay } from 'node:timers/promises';
import { type Harness, QUIET, signIn, startHarness } from '../harness.js';
import { measure, type Section } from '../report-row.js';
import { attempt } from '../traffic.js';

/** Shifts the wall clock of a process by the next of SHIFTS (seconds) at each SIGUSR2. */
const PRELOAD = `data:text/javascript,${encodeURIComponent(`
  const shifts = process.env.SHIFTS.split(',').map(Number);
  let shift = 0;
  const Real = Date;
  const now = () => Real.now() + shift * 1000;
  globalThis.Date = class Date extends Real {
    constructor(...args) { super(...(args.length === 0 ? [now()] : args)); }
    static now() { return now(); }
  };
  process.on('SIGUSR2', () => { shift = shifts.shift() ?? 0; });
`)}`;

const HOUR = 3_600;

/** C9: the wall clock of the server jumps; the database's clock does not. */
export const clock: Section = async (_scale, report) => {
  const harness = await startHarness({ env: QUIET });
  try {
    await measure(
      {
        id: 'C9',
        goal: 'clock +2 h, −2 h, −1 d, onto a leap day: tokens, dates and refusals as by database time',
      },
      report,
      () => jump(harness),
    );
  } finally {
    await harness.stop();
  }
};

async function jump(harness: Harness) {
  const leapDay = Math.round((Date.UTC(2028, 1, 29, 23, 59, 58) - Date.now()) / 1_000);
  const shifts = [2 * HOUR, -2 * HOUR, -24 * HOUR, leapDay];
  const server = await harness.serve({ SHIFTS: shifts.join() }, ['--import', PRELOAD]);
  const before = await session(server.port);
  const wrong: string[] = [];
  for (const shift of shifts) {
    server.child.kill('SIGUSR2');
    await delay(200);
    const check = (name: string, holds: boolean): void => {
      if (!holds) wrong.push(`${name} at ${shift} s`);
    };
    const old = await attempt(server.port, '/api/v2/directory/users/me', { token: before.token });
    check('an older token', old.status === 200);
    const { token, expiration, status } = await session(server.port);
    check('signing in', status === 200);
    check('the expiration', Math.abs(Date.parse(expiration) - Date.now() - HOUR * 1_000) < 5_000);
    const made = await attempt(server.port, '/api/v2/content/documents', {
      method: 'POST',
      token,
      body: { title: 'At another time' },
    });
    const { creationDate } = JSON.parse(made.answer!.text) as { creationDate: string };
    check('creationDate', Math.abs(Date.parse(creationDate) - Date.now()) < 5_000);
    const refused = await signIn(server.port, 'bruno.keller', 'Wrong-Password-1');
    check('a refusal', refused.status === 401 && refused.duration < 2_000);
    await delay(1_000);
    const ready = await attempt(server.port, '/health/ready');
    check('readiness', ready.status === 200);
  }
  return {
    figure: `${shifts.length} jumps while it runs, 6 checks each: ${wrong.length} wrong ${wrong.join(', ')} (Date of the process shifted by a preloaded module; expiry to the second is row B10)`,
    met: wrong.length === 0,
  };
}

async function session(port: number) {
  const { status, text } = await signIn(port, 'alice.martin');
  return { status, ...(JSON.parse(text) as { token: string; expiration: string }) };
}
