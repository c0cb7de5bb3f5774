import { Injectable } from '@nestjs/common';
import type { InvalidField } from '../../base/errors/api-errors.js';
import { appointsAnother, requireGrantable } from '../../directory/hand-out.js';
import { uriOf } from '../../resources/uri.js';
import {
  type PendingWrite,
  validValues,
  type Values,
} from '../../resources/write/pending-write.js';
import type { WriteHooks } from '../../resources/write/write-hooks.js';
import { recordAudit } from '../../security/audit.service.js';
import { ParametersService } from '../../security/parameters/parameters.service.js';
import { Destinations } from '../engines/destinations.js';
import { Dispatcher } from '../push/dispatcher.service.js';
import { CREDENTIALS } from '../settings/endpoint-state.js';
import { DECISION_VALUES } from '../engines/endpoint-choices.js';
import { parseVariable } from '../engines/engines.js';
import { DECIDED, EVENT_KINDS } from '../events/event-kinds.js';
import { type Reason, reason } from '../../base/errors/reason.js';

/** The attributes that decide where events go. */
const HEARERS = ['mode', 'url', 'account', 'adapter'];

/**
 * The write hooks of endpoints. They check that a push endpoint has an address and a pull endpoint none, that kinds are
 * known, and that the destination is allowed.
 */
@Injectable()
export class EndpointRules implements WriteHooks {
  constructor(
    private readonly parameters: ParametersService,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** An endpoint with an adapter always confirms, whatever the request contains. */
  complete({ values }: Pick<PendingWrite, 'values'>): Values {
    return isFilled(values.adapter) ? { ...values, confirms: true } : values;
  }

  async beforeWrite(write: PendingWrite): Promise<InvalidField[]> {
    // Who may not work for endpoints could no longer manage the person.
    if (await appointsAnother(write, 'account'))
      requireGrantable(write.change.caller, { permissions: ['endpoints:work'] });
    const values = { ...write.before, ...validValues(write) };
    const { mode, url, kinds, confirms } = values;
    const faults: InvalidField[] = [];
    const bad = (name: string, why: Reason): void => void faults.push({ name, reason: why });
    const hasUrl = typeof url === 'string' && url !== '';
    const isGiven = hasUrl || write.faults.some(({ name }) => name === 'url');
    if (mode === 'push' && !isGiven) bad('url', reason('required-by-mode', { mode: 'push' }));
    if (mode === 'pull' && hasUrl) bad('url', reason('excluded-by-mode', { mode: 'pull' }));
    const known: readonly string[] = EVENT_KINDS;
    const unknown = ((kinds ?? []) as string[]).filter((kind) => !known.includes(kind));
    if (unknown.length > 0)
      bad('kinds', reason('unknown-kind', { kinds: unknown, known: EVENT_KINDS }));
    if (confirms === true && hasKindsWithout(DECIDED, kinds))
      bad('kinds', reason('confirming-needs-kind', { kind: DECIDED }));
    if (isFilled(values.adapter)) faults.push(...faultsOfAdapter(values, write));
    else if (isFilled(values.variables)) bad('variables', reason('excluded-without-adapter'));
    if (mode === 'push' && hasUrl && url !== write.before?.url) {
      const allowed = (await this.parameters.current()).text('destinations');
      const fault = new Destinations(allowed).faultOf(new URL(url));
      if (fault !== undefined) bad('url', fault);
    }
    return faults;
  }

  /** These attributes decide who receives the decisions of all users, even after the session has ended. */
  asksForProof({ before }: PendingWrite, changed: string[]): boolean {
    return before === undefined || HEARERS.some((name) => changed.includes(name));
  }

  async afterWrite(write: PendingWrite, id: string): Promise<void> {
    if (!write.before) return;
    const after = { ...write.before, ...write.values };
    if (engineOf(after) !== engineOf(write.before)) await this.dropCredentials(write, id);
    if (after.mode !== write.before.mode) await this.takeBackLeases(write, id);
  }

  /**
   * A new address must not receive the old engine's credentials, which the person who changes it need not know. An
   * empty row stays, so that the server sends nothing without credentials.
   */
  private async dropCredentials({ change, transaction }: PendingWrite, id: string): Promise<void> {
    const dropped = await transaction.execute({
      text: `UPDATE endpoint_secrets SET sealed = '', expiration = '-infinity'
        WHERE endpoint_id = $1 AND signature = '${CREDENTIALS}' AND expiration IS NULL`,
      values: [id],
    });
    if (dropped === 0) return;
    await recordAudit(transaction, change.auditContext, {
      action: 'update',
      objectUri: uriOf(change.resource.ref.uri, id),
      after: { credentials: 'dropped' },
    });
  }

  /** Ends the leases of an endpoint with a new mode: its deliveries wait again, as pushes or for workers. */
  private async takeBackLeases({ transaction }: PendingWrite, id: string): Promise<void> {
    await transaction.execute({
      text: `UPDATE deliveries SET status = 'waiting', worker = NULL, next_attempt = now()
        WHERE endpoint_id = $1 AND status IN ('waiting', 'leased') AND status = 'leased'`,
      values: [id],
    });
  }

  afterCommit(): Promise<void> {
    return this.dispatcher.refresh();
  }
}

/** The attributes that the credentials of an endpoint belong to. */
const engineOf = ({ adapter, url }: Values): string =>
  JSON.stringify([adapter ?? null, URL.canParse(url as string) && new URL(url as string).origin]);

/** An empty list means all kinds. */
const hasKindsWithout = (kind: string, kinds: unknown): boolean =>
  Array.isArray(kinds) && kinds.length > 0 && !kinds.includes(kind);

const isFilled = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

/**
 * Checks the attributes that an adapter needs: an address to which paths can be appended, a source, and known
 * variables.
 */
function faultsOfAdapter(
  { mode, url, source, kinds, variables }: Values,
  { faults: given }: PendingWrite,
): InvalidField[] {
  const faults: InvalidField[] = [];
  const bad = (name: string, why: Reason): void => {
    if (!given.some((fault) => fault.name === name)) faults.push({ name, reason: why });
  };
  if (mode === 'pull') bad('adapter', reason('excluded-by-mode', { mode: 'pull' }));
  if (!isFilled(source)) bad('source', reason('required-by-adapter'));
  if (isFilled(kinds)) bad('kinds', reason('adapter-sends-decisions'));
  if (typeof url === 'string' && URL.canParse(url) && new URL(url).search !== '')
    bad('url', reason('query-with-adapter'));
  const texts = (variables ?? []) as string[];
  const parsed = texts.map(parseVariable);
  const unknown = texts.filter((_, at) => parsed[at] === undefined);
  if (unknown.length > 0)
    bad('variables', reason('unknown-variable', { unknown, known: DECISION_VALUES }));
  else if (new Set(parsed.map((variable) => variable![0])).size < texts.length)
    bad('variables', reason('repeated-variable'));
  return faults;
}
