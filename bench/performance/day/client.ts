import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Person } from './portal.js';

/** A call of a person, or of the administrator. */
export interface Call {
  method?: string;
  path: string;
  person?: Person;
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The calls of one kind. Durations are in microseconds and begin when a call was due. */
export class Measured {
  all = createHistogram();
  busiest = createHistogram();
  /** How many calls were answered by each status; 0 without an answer. */
  statuses: Record<number, number> = {};

  reset(): void {
    Object.assign(this, new Measured());
  }
}

/** Connections to the server, as a proxy keeps them. */
const CONNECTIONS = 500;

/** The longest wait for an answer, in milliseconds. */
const PATIENCE = 30_000;

/** One of so many calls asks for a trace. */
const TRACED = 25;

/** Sends the calls of a day, and measures them by kind. */
export class Client {
  readonly measured = new Map<string, Measured>();
  isBusiest = false;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  private readonly streaming = new Agent({ keepAlive: false, maxSockets: Infinity });
  private sent = 0;

  constructor(private readonly port: number) {}

  /** @returns the status and text of the answer; status 0 where there is none */
  async send(
    kind: string,
    call: Call,
    due = performance.now(),
  ): Promise<{ status: number; text: string }> {
    const answer = await this.open(kind, call).then(
      async (message) => ({ status: message.statusCode!, text: await text(message) }),
      () => ({ status: 0, text: '' }),
    );
    const measured = this.of(kind);
    const duration = Math.max(1, Math.round((performance.now() - due) * 1_000));
    for (const histogram of this.histogramsOf(measured)) histogram.record(duration);
    measured.statuses[answer.status] = (measured.statuses[answer.status] ?? 0) + 1;
    return answer;
  }

  /** Opens a stream of counters, which stays open. @param message called for each message */
  async stream(person: Person, message: () => void): Promise<void> {
    const call = { path: '/navigation/workplace/events', person };
    const stream = await this.open('stream', call, this.streaming).catch(() => undefined);
    stream?.on('data', message).on('error', () => undefined);
  }

  /** The kind of call behind the id of a trace. */
  kindOf = (traceId: string): string =>
    [...this.measured.keys()][parseInt(traceId.slice(0, 4), 16) - 1]!;

  close(): void {
    this.agent.destroy();
    this.streaming.destroy();
  }

  private of(kind: string): Measured {
    let found = this.measured.get(kind);
    if (!found) this.measured.set(kind, (found = new Measured()));
    return found;
  }

  private histogramsOf({ all, busiest }: Measured): RecordableHistogram[] {
    return this.isBusiest ? [all, busiest] : [all];
  }

  private open(kind: string, call: Call, agent = this.agent): Promise<IncomingMessage> {
    const { method = 'GET', path, person, token = person?.token, body, headers } = call;
    const content = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          ...{ host: '127.0.0.1', port: this.port, method, path, agent },
          headers: {
            ...headers,
            ...(token !== undefined && { 'X-AUTHENTICATION-KEY': token }),
            ...(person && { 'X-Forwarded-For': person.address }),
            ...(content !== undefined && {
              'Content-Type': 'application/json',
              'Content-Length': Buffer.byteLength(content),
            }),
            ...(++this.sent % TRACED === 0 && { traceparent: this.traceOf(kind) }),
          },
        },
        resolve,
      );
      if (agent === this.agent) request.setTimeout(PATIENCE, () => request.destroy());
      request.on('error', reject);
      request.end(content);
    });
  }

  /** The header of a call that is to be traced (W3C Trace Context); the id of the trace begins with the kind of call. */
  private traceOf(kind: string): string {
    this.of(kind);
    const number = [...this.measured.keys()].indexOf(kind) + 1;
    return `00-${number.toString(16).padStart(4, '0')}${randomBytes(14).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
  }
}
