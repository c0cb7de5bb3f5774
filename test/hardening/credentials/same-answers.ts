import { makeUser, openDoors, settle } from './prepare.js';
import { signIn, startHarness, tokenOf } from '../harness.js';
import type { Section } from '../report-row.js';
import { SYSADMIN_PASSWORD } from '../../support/prepare-database.js';
import type { Answer } from '../../support/send.js';

/** B1: every fault of credentials gets the same answer, byte by byte. */
export const sameAnswers: Section = async (_, report) => {
  const harness = await startHarness();
  const { port } = await harness.serve();
  await openDoors(harness);
  await settle();
  const admin = await tokenOf(port, 'alice.martin');
  const make = (login: string) => makeUser(port, admin, login);
  const [locked, disabled, keyless] = [
    await make('locked'),
    await make('disabled'),
    await make('keyless'),
  ];
  await harness.query(
    `INSERT INTO sign_ins (user_id, failures, locked_until) VALUES ($1, 10, now() + interval '1 hour')`,
    [locked],
  );
  await harness.query('UPDATE users SET status = 0 WHERE id = $1', [disabled]);
  await harness.query('DELETE FROM passwords WHERE user_id = $1', [keyless]);
  const cases: [string, string?, string?][] = [
    ['nobody'],
    ['bruno.keller', 'wrong'],
    ['locked'],
    ['disabled'],
    ['keyless'],
    ['sysadmin', SYSADMIN_PASSWORD, '127.0.0.9'],
    ['sysadmin', 'wrong', '127.0.0.9'],
  ];
  const shown = new Set<string>();
  for (const [login, password, from] of cases)
    shown.add(visible(await signIn(port, login, password, { from })));
  report({
    id: 'B1',
    goal: 'byte-equal answers: unknown, wrong, locked, disabled, without password, sysadmin elsewhere right and wrong',
    figure: `${cases.length} cases, ${shown.size} different answers: ${[...shown].join(' | ')}`,
    met: shown.size === 1,
  });
  await harness.stop();
};

/** The parts of an answer that an attacker can compare. */
function visible({ status, headers, text }: Answer): string {
  const { date, 'x-request-id': requestId, ...kept } = headers;
  if (!date || !requestId) throw new Error('an answer without Date or X-Request-Id');
  return JSON.stringify({ status, headers: kept, text });
}
