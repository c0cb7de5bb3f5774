import type { IncomingHttpHeaders } from 'node:http';

/** How a request ended. */
export interface Outcome {
  method: string;
  /** The pattern of its route, never its URL, which holds ids and tokens. */
  route: string | undefined;
  status: number;
  requestId: string;
}

/** The trace of one request. */
export interface RequestTrace {
  /** Runs work of the request, whose statements become part of the trace. */
  run(work: () => void): void;
  end(outcome: Outcome): void;
}

/**
 * Records nothing. OpenTelemetry's implementation replaces it where tracing is configured, so that the SDK
 * is loaded only there.
 */
export class Tracing {
  /** Begins the trace of a request; undefined when nothing is recorded. */
  begin(_headers: IncomingHttpHeaders): RequestTrace | undefined {
    return undefined;
  }

  /**
   * Runs a statement of the database.
   * @param _text the statement, without its bound values
   */
  statement<T>(_text: string, work: () => Promise<T>): Promise<T> {
    return work();
  }
}
