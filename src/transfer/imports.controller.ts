import { Readable } from 'node:stream';
import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Database, type Transaction } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { type InvalidField, invalid, invalidField, notFound } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { queryOf, singleValue } from '../http/query-string.js';
import { KnownParameters } from '../http/request-format.guard.js';
import { CSV_TYPE } from '../http/route-facts.js';
import { ANY } from '../base/rights/permissions.js';
import { requireGrantable } from '../directory/hand-out.js';
import { users } from '../directory/user.resource.js';
import { sources } from '../process/tasks/source.resource.js';
import { tasks } from '../process/tasks/task.resource.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../resources/openapi/component.js';
import { queryParameter } from '../resources/openapi/parameters.js';
import { atLeast, count, flag, listOf, text } from '../resources/openapi/schemas.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import type { AuditContext } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { requireRecentProof } from '../security/recent-proof.js';
import { RequirePermission, requirePermissions } from '../security/permission.guard.js';
import { UnreadableFile } from './csv.js';
import { transferred } from './fields.js';
import { importIn } from './import.js';
import { type ImportableResource, IMPORTABLE_RESOURCES } from './importable-resources.js';
import { type FileRecord, readRecords } from './records.js';

/** Most lines of a file. More would hold a connection and locks for longer than other calls can wait. */
const MAX_LINES = 10_000;

/** Most faults that an answer names. */
const MAX_FAULTS = 1_000;

const IMPORTED = namedSchema(
  'Imported',
  atLeast({
    lines: count,
    created: count,
    updated: count,
    unchanged: count,
    createdIds: listOf(text),
  }),
);
type Imported = Record<'lines' | 'created' | 'updated' | 'unchanged', number> & {
  createdIds: string[];
};

/** Rolls a dry run back. */
class DryRun extends Error {
  constructor(readonly imported: Imported) {
    super();
  }
}

/** Imports of whole files (docs/api-contract.md#imports). */
@Controller('api/v2/administration/imports')
export class ImportsController {
  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
  ) {}

  @ApiOperation({
    operationId: 'importFile',
    tag: 'Administration',
    summary: 'Create and change the records that a file names: all of them, or none',
    parameters: [
      queryParameter('dryRun', 'true does everything, then rolls back', {
        schema: { ...flag, default: false },
      }),
      queryParameter('ignoreUnknown', 'true ignores the columns of CSV that are no attributes', {
        schema: { ...flag, default: false },
      }),
    ],
    body: { ...text, examples: ['reference,title\nARCHIVE,Archive\n'] },
    answer: IMPORTED,
    errors: [409],
  })
  @Post(':kind')
  @RequirePermission('imports:create')
  @HttpCode(200)
  @KnownParameters('dryRun', 'ignoreUnknown')
  async import(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('kind') name: string,
    @Req() request: Request,
  ): Promise<Imported> {
    const kind = IMPORTABLE_RESOURCES.find(({ resource }) => resource.name === name);
    if (!kind) throw notFound();
    const { resource } = kind;
    requirePermissions(caller, [resource.permission('create'), resource.permission('change')]);
    // No file is checked line by line for what it takes besides: the source of tasks and what it asks for, the account of a
    // source, and administrators.
    if (resource === tasks) requirePermissions(caller, ['sources:push']);
    if (resource === sources) requirePermissions(caller, ['users:act-for']);
    if (resource === users) requireGrantable(caller, { permissions: [ANY] });
    const isDryRun = flagIn(request, 'dryRun');
    if (kind.givesRights && !isDryRun) requireRecentProof(caller);
    const records = () => recordsIn(request, kind);
    try {
      const imported = await this.database.transaction(async (transaction) => {
        const result = await importAll(transaction, { kind, auditContext, records: records() });
        if (isDryRun) throw new DryRun({ ...result, createdIds: [] });
        return result;
      });
      // Changed roles and ended access take effect with the next call.
      await this.notifications.waitUntilDelivered();
      return imported;
    } catch (error) {
      if (error instanceof DryRun) return error.imported;
      if (error instanceof UnreadableFile)
        throw invalidField('body', reason('unreadable-file', { why: error.message }));
      throw error;
    }
  }
}

/** @throws ApiError 400 with the faults of all lines */
async function importAll(
  transaction: Transaction,
  options: {
    kind: ImportableResource;
    auditContext: AuditContext;
    records: AsyncIterable<FileRecord[]>;
  },
): Promise<Imported> {
  const faults: InvalidField[] = [];
  const createdIds: string[] = [];
  const { bad, ...counts } = await importIn(transaction, {
    ...options,
    report: ({ line, fields }) => {
      if (faults.length < MAX_FAULTS) faults.push(...fields.map((field) => ({ line, ...field })));
    },
    created: (id) => void createdIds.push(id),
  });
  if (bad > 0) throw invalid(faults.slice(0, MAX_FAULTS));
  return { ...counts, createdIds };
}

/** @throws ApiError 400 for a body that is empty or too long */
async function* recordsIn(
  request: Request,
  kind: ImportableResource,
): AsyncGenerator<FileRecord[]> {
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body) || body.length === 0) throw invalidField('body', reason('empty'));
  const format = request.headers['content-type']!.toLowerCase().startsWith(CSV_TYPE)
    ? 'csv'
    : 'jsonl';
  const attributes = new Map(transferred(kind).map((attribute) => [attribute.name, attribute]));
  const ignoresUnknown = flagIn(request, 'ignoreUnknown');
  let lines = 0;
  for await (const records of readRecords(
    Readable.from([body]),
    format,
    attributes,
    ignoresUnknown,
  )) {
    lines += records.length;
    if (lines > MAX_LINES) throw invalidField('body', reason('too-many-lines', { max: MAX_LINES }));
    yield records;
  }
}

/** @throws ApiError 400 naming the parameter */
function flagIn(request: Request, name: string): boolean {
  const value = singleValue(queryOf(request), name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw invalidField(name, reason('not-a-boolean'));
  return value === 'true';
}
