import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Delete, Get, HttpCode, Logger, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { invalidField, unavailable } from '../../base/errors/api-errors.js';
import { namesTag } from '../../http/etag.js';
import { requiredParameter } from '../../http/query-string.js';
import { AnyAccept, AnyParameters, KnownParameters } from '../../http/request-format.guard.js';
import { stateOf } from '../../http/request-state.js';
import { BINARY_TYPE } from '../../http/route-facts.js';
import { TOKEN_HEADERS } from '../../http/token-headers.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../../resources/openapi/component.js';
import { queryParameter } from '../../resources/openapi/parameters.js';
import {
  binary,
  count,
  atLeast,
  listOf,
  orNull,
  REF,
  text,
  timestamp,
} from '../../resources/openapi/schemas.js';
import { IdPipe } from '../../resources/http/id.pipe.js';
import type { Range } from '../../resources/list/range.js';
import { answerWhole, PageRange } from '../../resources/http/whole-list.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { namesInPath } from '../../resources/http/resource.controller.js';
import type { AuditContext } from '../../security/audit.service.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import { type Caller, CurrentCaller, requireCaller } from '../../security/caller.js';
import { contentDisposition, faultOfFileName } from './file-names.js';
import { FileTransfers } from './file-transfers.js';
import { type PresentedFile, TaskFiles } from './task-files.service.js';
import { tasks } from './task.resource.js';
import { reason } from '../../base/errors/reason.js';

const TASK_FILE = namedSchema(
  'TaskFile',
  atLeast({ id: text, name: text, size: count, author: orNull(REF), creationDate: timestamp }),
);

/** Files of tasks (docs/api-contract.md#files-of-tasks). */
@Controller('api/v2/process/tasks')
@namesInPath({ id: tasks })
export class TaskFilesController {
  private readonly logger = new Logger('TaskFiles');
  private readonly uploads = new FileTransfers({ all: 16, ofOne: 3, reason: 'too-many-uploads' });
  private readonly downloads = new FileTransfers({
    all: 32,
    ofOne: 6,
    reason: 'too-many-downloads',
  });

  constructor(
    readonly reader: ResourceReader,
    private readonly files: TaskFiles,
  ) {}

  @ApiOperation({
    operationId: 'listTaskFiles',
    tag: 'Tasks',
    summary: 'List the files of a task, oldest first',
    answer: listOf(TASK_FILE),
    isPaged: true,
    errors: [404],
  })
  @Get(':id/files')
  @AnyParameters()
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: string,
    @PageRange() range: Range,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PresentedFile[]> {
    return answerWhole(await this.files.list(caller, id), range, response);
  }

  @ApiOperation({
    operationId: 'addTaskFile',
    tag: 'Tasks',
    summary: 'Add a file to an open task',
    parameters: [
      queryParameter('name', 'the name of the file', { required: true, example: 'a.pdf' }),
    ],
    body: binary,
    bodyLine: binary,
    answer: TASK_FILE,
    errors: [404, 409],
  })
  @Post(':id/files')
  @KnownParameters('name')
  async add(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id', IdPipe) id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PresentedFile> {
    const name = requiredParameter(request, 'name').normalize();
    const fault = faultOfFileName(name);
    if (fault !== undefined) throw invalidField('name', fault);
    const call = { caller, auditContext, id };
    const { 'content-length': length } = request.headers;
    await this.files.check(call, length === undefined ? undefined : Number(length));
    const state = stateOf(request);
    if (!state.hasUnreadBody) throw invalidField('body', reason('empty'));
    const pace = this.uploads.begin(caller, request, response);
    const body = pace(request.iterator({ destroyOnReturn: false }));
    try {
      return await this.files.store(call, name, body, () => state.checkAgain?.());
    } catch (error) {
      if (!response.closed) throw error;
      this.logger.debug(String(error));
      // The client has left and gets no answer.
      throw unavailable();
    }
  }

  @ApiOperation({
    operationId: 'getTaskFile',
    tag: 'Tasks',
    summary: 'Download a file of a task',
    answer: binary,
    answerType: BINARY_TYPE,
    hasETag: true,
    errors: [404],
  })
  @Get(':id/files/:fileId')
  @AnyAccept()
  async get(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: string,
    @Param('fileId', IdPipe) fileId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { name, size, digest } = await this.files.find(caller, id, fileId);
    const etag = `"${digest.slice(0, 32)}"`;
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'private, no-cache');
    response.vary(TOKEN_HEADERS);
    if (namesTag(request.headers['if-none-match'], etag)) {
      response.status(304).end();
      return;
    }
    const check = async (): Promise<unknown> => {
      await stateOf(request).checkAgain?.();
      return this.files.find(requireCaller(request), id, fileId);
    };
    const pace =
      request.method === 'HEAD'
        ? undefined
        : this.downloads.begin(caller, request, response, check);
    // No browser shows the file as a page of this server, whatever its content.
    response.setHeader('Content-Type', BINARY_TYPE);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Content-Security-Policy', `default-src 'none'; sandbox`);
    response.setHeader('Content-Disposition', contentDisposition(name));
    response.setHeader('Content-Length', size);
    if (!pace) {
      response.end();
      return;
    }
    const content = Readable.from(pace(this.files.content(fileId, size)), { highWaterMark: 1 });
    // The connection breaks when the client has left or a user has deleted the file meanwhile.
    await pipeline(content, response).catch((error: unknown) => this.logger.debug(String(error)));
  }

  @ApiOperation({
    operationId: 'deleteTaskFile',
    tag: 'Tasks',
    summary: 'Delete a file that the caller has added; administrators delete every file',
    errors: [404],
  })
  @Delete(':id/files/:fileId')
  @HttpCode(204)
  delete(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id', IdPipe) id: string,
    @Param('fileId', IdPipe) fileId: string,
  ): Promise<void> {
    return this.files.delete({ caller, auditContext, id }, fileId);
  }
}
