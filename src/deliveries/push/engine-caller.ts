import type { Database } from '../../database/database.js';
import type { Decision, TaskEnds, Verdict } from '../../process/tasks/task-end.js';
import { decisionInDoubt, decisionOf, doubtAlone } from '../events/confirmations.js';
import type { CheckedAddress } from '../engines/destinations.js';
import type { EngineTarget } from '../settings/endpoint-settings.service.js';
import { EngineSession } from '../engines/engine-session.js';
import {
  already,
  type DecisionValues,
  type EngineCall,
  ENGINES,
  TAKEN,
  variablesOf,
} from '../engines/engines.js';
import { TEST_KIND } from '../events/event-kinds.js';
import type { StoredDelivery } from '../events/event.js';
import { type AttemptResult, type Connections, exchange } from '../engines/webhook.js';

/** The result of a decision at its engine. */
export interface EngineAnswer {
  result: AttemptResult;
  verdict?: Verdict | undefined;
  /** The decision of the verdict, where it is earlier than that of the delivery. */
  of?: Decision | undefined;
  /** Why nothing was sent. */
  skipped?: string | undefined;
  /** Whether the task itself prevented the call. */
  isUnusable?: boolean | undefined;
}

/** Parts shared with the sender of its endpoint. */
interface Sender {
  database: Database;
  ends: TaskEnds;
  connections: Connections;
  /** @throws ForbiddenDestination */
  address: (url: URL) => Promise<CheckedAddress>;
}

/** The fault of one task, not of the engine. */
export class UnusableTaskId extends Error {}

/** Completes tasks at the engine of one endpoint, in the engine's own form (docs/api-contract.md#adapters). */
export class EngineCaller {
  private readonly session: EngineSession;

  constructor(
    private readonly target: EngineTarget,
    private readonly sender: Sender,
  ) {
    const { base, adapter, credentials } = target;
    this.session = new EngineSession(base, adapter === 'bonita', credentials, (url, form) =>
      this.send('POST', url, {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      }),
    );
  }

  /** Sends a decision, or checks the address and the credentials for a test event. Throws the obstacle. */
  async deliver(delivery: StoredDelivery): Promise<EngineAnswer> {
    const engine = ENGINES[this.target.adapter];
    const decision = decisionOf(delivery);
    if (delivery.kind === TEST_KIND) return { result: await this.call(engine.probe) };
    if (!decision) return skip('not sent: engines hear of decisions alone');
    const { database, ends } = this.sender;
    const taskId = taskIdOf(delivery);
    if (!(await ends.stands(decision)))
      return delivery.isInDoubt ? this.lookAfter(taskId) : TAKEN_BACK;
    const former = await decisionInDoubt(database, delivery);
    if (former) {
      const answer = await this.lookAfter(taskId);
      if (answer !== TAKEN_BACK) return { ...answer, of: former };
    }
    await doubtAlone(database, delivery);
    const variables = variablesOf(this.target.variables, valuesOf(delivery));
    const result = await this.call(engine.complete(taskId, variables));
    if (isSuccess(result)) return { result, verdict: { says: 'confirmed' } };
    const judgement = engine.judge(result);
    if (judgement !== 'look') return { result, verdict: judgement };
    const reading = await this.call(engine.read(taskId));
    const verdict = engine.isOver(reading)
      ? already
      : engine.judgeWaiting?.(reading, result, delivery.isInDoubt);
    return { result, verdict };
  }

  /**
   * An attempt without an answer may have arrived. For a withdrawn decision, this asks the engine whether it has
   * completed the task.
   */
  private async lookAfter(taskId: string): Promise<EngineAnswer> {
    const engine = ENGINES[this.target.adapter];
    const result = await this.call(engine.read(taskId));
    if (engine.isOver(result)) return { result, verdict: { says: 'confirmed', note: TAKEN } };
    return isSuccess(result) ? TAKEN_BACK : { result };
  }

  /** The engine may have ended the session: then the server signs in once more. */
  private async call(call: EngineCall): Promise<AttemptResult> {
    const result = await this.callOnce(call);
    if (result.status !== 401 || !this.session.isRenewable) return result;
    this.session.forget();
    return this.callOnce(call);
  }

  private async callOnce({ method, path, body }: EngineCall): Promise<AttemptResult> {
    const url = new URL(this.target.base.href.replace(/\/$/, '') + path);
    return this.send(method, url, {
      headers: {
        ...(await this.session.headers()),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  private async send(
    method: 'GET' | 'POST',
    url: URL,
    { headers, body }: { headers: Record<string, string>; body?: string | undefined },
  ): Promise<AttemptResult> {
    const { connections, address } = this.sender;
    const message = {
      method,
      url,
      headers: { Accept: 'application/json', 'User-Agent': 'process-platform', ...headers },
      body,
    };
    return exchange(message, await address(url), connections);
  }
}

export const isSuccess = ({ status = 0 }: AttemptResult): boolean => status >= 200 && status < 300;

const skip = (skipped: string): EngineAnswer => ({ result: { duration: 0 }, skipped });

const TAKEN_BACK = skip('not sent: the decision was taken back');

const columnOf = ({ data }: StoredDelivery, column: string): string | null => {
  const value = data.task?.[column];
  return typeof value === 'string' ? value : null;
};

/**
 * The engine's own id of the task, as a part of a path.
 * @throws UnusableTaskId for an id that would change the path
 */
function taskIdOf(delivery: StoredDelivery): string {
  const id = columnOf(delivery, 'external_id') ?? '';
  if (/^\.{0,2}$/.test(id))
    throw new UnusableTaskId(`the externalId '${id}' cannot be a part of a path`);
  return encodeURIComponent(id);
}

const valuesOf = (delivery: StoredDelivery): DecisionValues => ({
  outcome: columnOf(delivery, 'outcome'),
  comment: columnOf(delivery, 'comment'),
  actor: delivery.data.links?.closed_by_id?.[1] ?? null,
});
