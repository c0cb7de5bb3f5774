import type { IncomingHttpHeaders } from 'node:http';

/** How a request ended. */
export interface Outcome {
  method: string;
  /** The pattern of its route; never its address, which holds ids and tokens. */
  route: string | undefined;
  status: number;
  requestId: string;
}

/** The trace of one request. */
export interface RequestTrace {
  /** Runs what belongs to the request: its statements become part of the trace. */
  run(work: () => void): void;
  end(outcome: Outcome): void;
}

/**
 * What the server tells of its work while it works. This one tells nothing; OpenTelemetry's takes its
 * place where it is configured, so that its SDK is not loaded where it is not.
 */
export class Tracing {
  /** Begins the trace of a request; none when nothing is told. */
  begin(_headers: IncomingHttpHeaders): RequestTrace | undefined {
    return undefined;
  }

  /**
   * Runs a statement of the database.
   * @param _text the statement, whose values are bound: none is in it
   */
  statement<T>(_text: string, work: () => Promise<T>): Promise<T> {
    return work();
  }
}
