import type { ServerResponse } from 'node:http';
import type { ApiError } from '../base/errors/api-errors.js';
import { scimBodyOf } from '../base/errors/scim-body.js';
import { stateOf } from './request-state.js';
import { JSON_TYPE, SCIM_TYPE } from './route-facts.js';

/** Portals break on these statuses of a search, so its envelope has status 200 instead. */
const ENVELOPE_WITH_200 = new Set([400, 401]);

/** Presents an error of a search in its envelope. */
function toEnvelope(error: ApiError): Pick<ApiError, 'status' | 'headers' | 'body'> {
  const { status, headers } = error;
  const reasons = error.details.fields?.map((field) => `${field.name}: ${field.reason.message}`);
  const body = { type: 'error', message: reasons?.join('; ') || error.message };
  return ENVELOPE_WITH_200.has(status)
    ? { status: 200, headers: {}, body }
    : { status, headers, body };
}

/**
 * Ends the response with an error, in the format of its route
 * (docs/api-contract.md#errors-and-statuses). If the response has already begun, it closes the connection.
 */
export function sendError(response: ServerResponse, error: ApiError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const state = stateOf(response.req);
  // A method that the server does not know never addresses a search.
  const isEnveloped = state.facts.hasSearchEnvelope && error.status !== 501;
  const { status, headers, body } = isEnveloped ? toEnvelope(error) : error;
  const { isScim } = state.facts;
  const text = JSON.stringify(isScim ? scimBodyOf(error) : body);
  state.error = error;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Cache-Control', 'no-store');
  response.removeHeader('ETag');
  response.setHeader('Content-Type', `${isScim ? SCIM_TYPE : JSON_TYPE}; charset=utf-8`);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
