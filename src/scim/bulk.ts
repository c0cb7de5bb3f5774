import { Logger } from '@nestjs/common';
import { toApiError } from '../base/errors/to-api-error.js';
import { scimBodyOf } from '../base/errors/scim-body.js';
import { GROUPS, type Kind, USERS } from './objects.js';
import { memberOf } from './patch.js';
import { badPath, badSyntax } from './scim-errors.js';
import { BULK_RESPONSE } from './schemas.js';
import type { ScimAnswer, ScimCall } from './scim-call.js';

type Json = Record<string, unknown>;

const logger = new Logger('ScimBulk');

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Runs the operations of a bulk in their order, each for itself (RFC 7644 section 3.7). An operation may name an object that
 * an earlier one created by `bulkId:…`.
 * @param run runs one of them
 * @throws ApiError 400
 */
export async function runBulk(
  body: unknown,
  context: Omit<ScimCall, 'method' | 'kind'>,
  run: (call: ScimCall) => Promise<ScimAnswer>,
): Promise<Json> {
  const operations = memberOf(body, 'operations');
  if (!Array.isArray(operations)) throw badSyntax('Operations must be a list');
  const failOnErrors = Number(memberOf(body, 'failonerrors') ?? Infinity);
  const ids = new Map<string, string>();
  const results: Json[] = [];
  let failures = 0;
  for (const operation of operations as unknown[]) {
    const method = String(memberOf(operation, 'method')).toUpperCase();
    const bulkId = memberOf(operation, 'bulkid');
    const result: Json = { method, ...(typeof bulkId === 'string' && { bulkId }) };
    results.push(result);
    try {
      const call = callOf(method, operation, ids);
      const { status, body, version } = await run({ ...context, ...call });
      const id = call.id ?? (body?.id as string | undefined);
      if (typeof bulkId === 'string' && id !== undefined) ids.set(bulkId, id);
      Object.assign(result, {
        location: `${context.shown.base}/${call.kind.name}/${id}`,
        ...(version !== undefined && { version }),
        status: String(status),
      });
    } catch (error) {
      const answer = toApiError(error);
      if (answer.status === 500) logger.error(error);
      Object.assign(result, { status: String(answer.status), response: scimBodyOf(answer) });
      if (++failures >= failOnErrors) break;
    }
  }
  return { schemas: [BULK_RESPONSE], Operations: results };
}

function callOf(
  method: string,
  operation: unknown,
  ids: Map<string, string>,
): { method: string; kind: Kind; id?: string; body: unknown; ifMatch: string | undefined } {
  if (!METHODS.includes(method)) throw badSyntax(`method must be one of ${METHODS.join(', ')}`);
  const path = withIds(String(memberOf(operation, 'path')), ids);
  const [, name, id] = /^\/(Users|Groups)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (name === undefined || (method === 'POST') !== (id === undefined)) throw badPath(path);
  const data = memberOf(operation, 'data');
  const version = memberOf(operation, 'version');
  return {
    method,
    kind: name === 'Users' ? USERS : GROUPS,
    ...(id !== undefined && { id }),
    body:
      data === undefined ? undefined : (JSON.parse(withIds(JSON.stringify(data), ids)) as unknown),
    ifMatch: typeof version === 'string' ? version : undefined,
  };
}

/** Replaces the names of created objects by their ids. @throws ApiError 400 for a name that none has */
const withIds = (text: string, ids: Map<string, string>): string =>
  text.replace(/bulkId:([\w.-]+)/g, (whole, name: string) => {
    const id = ids.get(name);
    if (id === undefined) throw badSyntax(`${whole} names no operation that has succeeded`);
    return id;
  });
