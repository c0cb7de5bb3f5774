import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from './api-errors.js';

/** Below this path every body is the search envelope (docs/api-contract.md#search-errors). */
const SEARCH_PATH = '/navigation/search/';

/** Portals read the search envelope and break on these statuses, so it comes with 200. */
const ENVELOPE_WITH_200 = new Set([400, 401]);

/** Whether a request target leads to the search, with or without the base path. */
export function isSearchTarget(target: string, basePath: string): boolean {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const rest = path.startsWith(basePath) ? path.slice(basePath.length) : path;
  return rest.startsWith(SEARCH_PATH);
}

const searches = new WeakSet<IncomingMessage>();

/** Notes which requests are searches. It comes first: later steps refuse, or change the address. */
export const noteSearches =
  (basePath: string) =>
  (request: IncomingMessage, _response: ServerResponse, next: () => void): void => {
    if (isSearchTarget(request.url ?? '', basePath)) searches.add(request);
    next();
  };

/** Whether a request is a search, whose every answer is the search envelope. */
export const isSearch = (request: IncomingMessage): boolean => searches.has(request);

/** A refusal as the caller is sent it. */
export interface PresentedError {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Presents a refusal in the body of the main API, or in the search envelope. */
export function presentError(refusal: ApiError, inEnvelope: boolean): PresentedError {
  const { status, headers } = refusal;
  if (!inEnvelope) return { status, headers, body: refusal.body };
  const reasons = refusal.details.fields?.map(({ name, message }) => `${name}: ${message}`);
  const body = { type: 'error', message: reasons?.join('; ') || refusal.message };
  return ENVELOPE_WITH_200.has(status)
    ? { status: 200, headers: {}, body }
    : { status, headers, body };
}

const sent = new WeakMap<ServerResponse, ApiError>();

/** The refusal that a response was ended with; its status may differ from the one that was sent. */
export const errorSentTo = (response: ServerResponse): ApiError | undefined => sent.get(response);

/**
 * Ends the response with a refusal in the body that its request asks for
 * (docs/api-contract.md#errors-and-statuses).
 */
export function sendError(response: ServerResponse, refusal: ApiError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = presentError(refusal, isSearch(response.req));
  const text = JSON.stringify(body);
  sent.set(response, refusal);
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
  response.removeHeader('ETag');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
