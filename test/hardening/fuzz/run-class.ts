import {
  type AttackClass,
  type Attempt,
  deliver,
  LANES,
  type Later,
  type Reply,
} from './attempt.js';
import { controlAnswers, digests, type Target } from './target.js';
import { Random } from '../../support/random.js';

/** Internals that an answer must never contain, unless the request itself contains them. */
const INSIDES = [
  /at .+\.(js|ts):\d+/,
  /node_modules/,
  /QueryFailedError/,
  /\b(SELECT|INSERT|UPDATE) .+ (FROM|INTO|SET)\b/,
  /\$argon2/,
  /ECONN/,
  /SQLSTATE/,
];

/** Maximum time of an answer in milliseconds; a longer one counts as a hang. */
const HANG = 5_000;

/** The result of a class. */
export interface Outcome {
  sent: number;
  refused: number;
  failed: number;
  leaks: string[];
  hangs: number;
  slowest: number;
  sideEffects: string[];
  wrong: string[];
  remark?: string;
}

/** Sends all attempts of a class, checks every answer, and then checks for side effects. */
export async function runClass(
  attack: AttackClass,
  target: Target,
  scale: number,
  seed: number,
): Promise<Outcome> {
  const count = Math.ceil(attack.size * scale);
  const attempts = await attemptsOf(attack, target, count, seed);
  const control = await controlAnswers(target);
  const before = await digests(target, attack.writes ?? []);
  const printedBefore = target.printed().length;
  const outcome: Outcome = {
    sent: 0,
    refused: 0,
    failed: 0,
    leaks: [],
    hangs: 0,
    slowest: 0,
    sideEffects: [],
    wrong: [],
  };
  await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      for (let n = lane; n < attempts.length; n += LANES) {
        const next = attempts[n]!;
        const attempt = typeof next === 'function' ? await next() : next;
        await note(outcome, target, attempt, await deliver(target.port, attempt));
      }
    }),
  );
  const after = await digests(target, attack.writes ?? []);
  for (const [table, sum] of before)
    if (after.get(table) !== sum) outcome.sideEffects.push(`${table} changed`);
  if ((await controlAnswers(target)) !== control)
    outcome.sideEffects.push('the same questions are answered otherwise');
  if (!target.isAlive()) outcome.sideEffects.push('the process ended');
  const printed = target.printed().slice(printedBefore);
  for (const canary of target.canaries.filter((text) => text !== process.cwd()))
    if (printed.includes(canary)) outcome.leaks.push(`a canary in the log`);
  const closing = await attack.after?.(target);
  outcome.wrong.push(...(closing?.wrong ?? []));
  outcome.remark = closing?.remark;
  return outcome;
}

async function attemptsOf(
  attack: AttackClass,
  target: Target,
  count: number,
  seed: number,
): Promise<(Attempt | Later)[]> {
  if (!attack.asEachRole) return attack.attempts(target, count, new Random(seed));
  const { people } = target;
  const each = Math.ceil(count / people.length);
  const attempts: (Attempt | Later)[] = [];
  for (const [n, person] of people.entries())
    attempts.push(...(await attack.attempts({ ...target, person }, each, new Random(seed + n))));
  return attempts;
}

async function note(
  outcome: Outcome,
  { canaries }: Target,
  attempt: Attempt,
  answer: Reply,
): Promise<void> {
  const { status, duration } = answer;
  outcome.sent += 1;
  if (status >= 400 && status < 500) outcome.refused += 1;
  // 501 is the answer to a method that the server does not know.
  const hasFailed = status >= 500 && status !== 501;
  if (hasFailed) outcome.failed += 1;
  if (duration > HANG) outcome.hangs += 1;
  outcome.slowest = Math.max(outcome.slowest, duration);
  const leak = leakIn(attempt, answer, canaries);
  if (leak !== undefined) outcome.leaks.push(`${leak} from ${describe(attempt)}`);
  const wrong = hasFailed ? `status ${status}` : await attempt.judge?.(answer);
  if (wrong !== undefined) outcome.wrong.push(`${describe(attempt)}: ${wrong}`);
}

function leakIn(attempt: Attempt, answer: Reply, canaries: string[]): string | undefined {
  const all = `${answer.text}\n${JSON.stringify(answer.headers)}`;
  if (canaries.some((canary) => all.includes(canary))) return 'a canary';
  const leaked = INSIDES.find((inside) => inside.test(all));
  return leaked && !leaked.test(spoken(attempt)) ? String(leaked) : undefined;
}

/** The texts of the request itself, which the server may repeat. */
function spoken({ path, body = '', headers = {}, raw = '' }: Attempt): string {
  const texts = [path, String(body), JSON.stringify(headers), String(raw)];
  return texts.flatMap((text) => [text, decoded(text)]).join('\n');
}

function decoded(text: string): string {
  const plain = text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
  try {
    return decodeURIComponent(plain.replaceAll('+', ' '));
  } catch {
    return plain;
  }
}

function describe({ method = 'GET', path, headers, body, raw }: Attempt): string {
  if (raw !== undefined) return JSON.stringify(String(raw).slice(0, 160));
  const rest = [headers && JSON.stringify(headers), body].filter((part) => part !== undefined);
  return `${method} ${path.slice(0, 160)} ${rest.map((part) => String(part).slice(0, 400)).join(' ')}`;
}

/** Whether a class meets the goals of section 4A. */
export const isMet = (outcome: Outcome): boolean =>
  outcome.failed === 0 && outcome.hangs === 0 && faultsOf(outcome).length === 0;

/** Descriptions of all faults. */
export const faultsOf = ({ leaks, sideEffects, wrong }: Outcome): string[] => [
  ...leaks.map((text) => `leak: ${text}`),
  ...sideEffects.map((text) => `side effect: ${text}`),
  ...wrong,
];
