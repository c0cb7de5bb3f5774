import { REASONS } from '../../base/errors/reasons.js';
import type { Verdict } from '../../process/tasks/task-end.js';
import { parseObject, reasonIn } from '../events/confirmations.js';
import { type Adapter, DECISION_VALUES } from './endpoint-choices.js';
import type { AttemptResult } from './webhook.js';

export type DecisionValues = Record<(typeof DECISION_VALUES)[number], string | null>;

/** A call of an engine; its path is below the address of the endpoint. */
export interface EngineCall {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
}

/**
 * The meaning of an answer: a verdict, the need to look whether the task still waits, or undefined for a failure that
 * may pass or that an administrator has to repair.
 */
export type Judgement = Verdict | 'look' | undefined;

/** How one kind of engine completes user tasks (docs/api-contract.md#adapters). */
export interface Engine {
  complete(taskId: string, variables: Record<string, string | null>): EngineCall;
  judge(answer: AttemptResult): Judgement;
  /** Reads a task. */
  read(taskId: string): EngineCall;
  /** Whether the answer proves that the task can no longer be completed. */
  isOver(reading: AttemptResult): boolean;
  /**
   * The verdict for a task that still waits although its decision was sent; undefined to send the decision again.
   * @param refused the answer to the decision
   * @param isRepeated whether an earlier attempt sent the decision, at least seconds ago
   */
  judgeWaiting?(
    reading: AttemptResult,
    refused: AttemptResult,
    isRepeated: boolean,
  ): Verdict | undefined;
  /** A call that changes nothing, to try the address and the credentials. */
  probe: EngineCall;
}

/** The remark in the history of a task and in the log when the task was already completed in the engine. */
export const ALREADY = REASONS['engine-completed-task'];

/** The same for a decision that people withdrew while its arrival at the engine was unknown. */
export const TAKEN = REASONS['engine-completed-before'];

export const already: Verdict = { says: 'confirmed', note: ALREADY };

const refusedBecause = (reason: string | undefined): Verdict | undefined =>
  reason === undefined ? undefined : { says: 'refused', reason };

/** The value of an attribute in the JSON of an answer. */
const valueIn = ({ body }: AttemptResult, name: string): unknown => parseObject(body)?.[name];

const hasText = (answer: AttemptResult, name: string): boolean =>
  typeof valueIn(answer, name) === 'string';

/** The range of codes that Camunda 7's manual leaves to the delegates of a process. */
const isOwnCode = (code: unknown): boolean =>
  typeof code === 'number' && code >= 20_000 && code < 40_000;

/** Camunda 7, CIB seven and Operaton: the address ends in `/engine-rest`. */
const camunda7: Engine = {
  complete: (id, variables) => ({
    method: 'POST',
    path: `/task/${id}/complete`,
    body: {
      variables: Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, { value, type: 'String' }]),
      ),
    },
  }),
  judge: (answer) => {
    const { status, body } = answer;
    if (!hasText(answer, 'type')) return undefined;
    const isRefusal = status === 400 || (status === 500 && isOwnCode(valueIn(answer, 'code')));
    if (isRefusal) return refusedBecause(reasonIn(body, ['message']));
    // It answers 500 both for a missing task and for a process that cannot continue.
    return status === 500 || status === 404 ? 'look' : undefined;
  },
  read: (id) => ({ method: 'GET', path: `/task/${id}` }),
  isOver: (reading) => reading.status === 404 && hasText(reading, 'type'),
  probe: { method: 'GET', path: '/version' },
};

/** States in which a user task of Camunda 8 can no longer be completed. */
const OVER = new Set(['COMPLETED', 'CANCELED', 'FAILED']);

const isMissing8 = (answer: AttemptResult): boolean =>
  answer.status === 404 && valueIn(answer, 'title') === 'NOT_FOUND';

const stateIn = (reading: AttemptResult): unknown =>
  reading.status === 200 ? valueIn(reading, 'state') : undefined;

/** Camunda 8.8 and later: the address is that of the Orchestration Cluster API, without `/v2`. */
const camunda8: Engine = {
  complete: (id, variables) => ({
    method: 'POST',
    path: `/v2/user-tasks/${id}/completion`,
    body: { variables },
  }),
  judge: (answer) => {
    const { status, body } = answer;
    if (status === 400 && hasText(answer, 'title'))
      return refusedBecause(reasonIn(body, ['detail', 'title']));
    if (status === 404) return isMissing8(answer) ? already : undefined;
    return status === 409 ? 'look' : undefined;
  },
  read: (id) => ({ method: 'GET', path: `/v2/user-tasks/${id}` }),
  isOver: (reading) => isMissing8(reading) || OVER.has(stateIn(reading) as string),
  judgeWaiting: (reading, { body }, isRepeated) =>
    // Its lists lag some seconds behind the engine, so only a repeated attempt proves that a task which still waits was
    // denied.
    stateIn(reading) === 'CREATED' && isRepeated
      ? refusedBecause(reasonIn(body, ['detail']))
      : undefined,
  probe: { method: 'GET', path: '/v2/topology' },
};

/** Flowable: the address ends in `/flowable-rest/service`, or `/process-api` in an application of one's own. */
const flowable: Engine = {
  complete: (id, variables) => ({
    method: 'POST',
    path: `/runtime/tasks/${id}`,
    body: {
      action: 'complete',
      variables: Object.entries(variables).map(([name, value]) => ({
        name,
        type: 'string',
        value,
      })),
    },
  }),
  judge: (answer) => {
    const { status, body } = answer;
    if (!hasText(answer, 'exception')) return undefined;
    if (status === 404) return already;
    return status === 400 ? refusedBecause(reasonIn(body, ['exception'])) : undefined;
  },
  read: (id) => ({ method: 'GET', path: `/runtime/tasks/${id}` }),
  isOver: (reading) => reading.status === 404 && hasText(reading, 'exception'),
  probe: { method: 'GET', path: '/management/engine' },
};

const isMissingInBonita = (answer: AttemptResult): boolean =>
  answer.status === 404 && String(valueIn(answer, 'exception')).includes('NotFoundException');

/** Bonita: the address ends in `/bonita`; variables are inputs of the contract. */
const bonita: Engine = {
  complete: (id, variables) => ({
    method: 'POST',
    path: `/API/bpm/userTask/${id}/execution?assign=true`,
    body: variables,
  }),
  judge: (answer) => {
    const { status, body } = answer;
    const exception = valueIn(answer, 'exception');
    if (typeof exception !== 'string') return undefined;
    if (isMissingInBonita(answer)) return already;
    if (status !== 400) return undefined;
    const explanations = valueIn(answer, 'explanations');
    const why = Array.isArray(explanations) ? explanations.join('; ') : '';
    const reason =
      why === '' ? reasonIn(body, ['message']) : reasonIn(JSON.stringify({ why }), ['why']);
    return refusedBecause(reason);
  },
  read: (id) => ({ method: 'GET', path: `/API/bpm/userTask/${id}` }),
  isOver: isMissingInBonita,
  probe: { method: 'GET', path: '/API/system/session/unusedId' },
};

export const ENGINES: Record<Adapter, Engine> = { camunda7, camunda8, flowable, bonita };

/** `name`, or `name=value` for a variable with another name in the process. */
const VARIABLE = new RegExp(`^([^=]{1,100})=(${DECISION_VALUES.join('|')})$`);

/** The name of a variable in the process, and its value; undefined for an invalid text. */
export function parseVariable(text: string): [name: string, of: keyof DecisionValues] | undefined {
  const plain = DECISION_VALUES.find((value) => value === text);
  if (plain) return [plain, plain];
  const [, name, value] = VARIABLE.exec(text) ?? [];
  return name === undefined || name.trim() === ''
    ? undefined
    : [name, value as keyof DecisionValues];
}

/**
 * The variables of a decision.
 * @param texts those of the endpoint; an empty list means all
 */
export const variablesOf = (
  texts: readonly string[],
  values: DecisionValues,
): Record<string, string | null> =>
  Object.fromEntries(
    (texts.length === 0 ? DECISION_VALUES : texts).flatMap((text) => {
      const parsed = parseVariable(text);
      return parsed ? [[parsed[0], values[parsed[1]]]] : [];
    }),
  );
