import { Readable } from 'node:stream';
import { Body, Controller, Put, Req, Res, StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { notAcceptable } from '../../base/errors/api-errors.js';
import { excludes } from '../../http/accept.js';
import { AnyParameters, Produces } from '../../http/request-format.guard.js';
import { stateOf } from '../../http/request-state.js';
import { JSON_LINES_TYPE, JSON_TYPE } from '../../http/route-facts.js';
import { TransferPlaces } from '../../http/transfer-places.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { queryParameter } from '../../resources/openapi/parameters.js';
import type { AuditContext } from '../../security/audit.service.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { parsePushRequest } from './push-request.js';
import { PUSH_BODY, PUSH_ITEM, PUSHED, PUSHED_LINE } from './push.schemas.js';
import { answerStream } from './push-stream.js';
import { type Pushed, TaskPush } from './push.service.js';

/** Most streams at once in this process, and those of one account: each holds a connection while a batch is stored. */
const MAX_STREAMS = 8;
const MAX_OF_ONE = 3;

const flagParameter = (name: string, description: string) =>
  queryParameter(name, description, { schema: { type: 'boolean', default: false } });

/** Where sources push their tasks (docs/api-contract.md#pushing-tasks). */
@Controller('api/v2/process/tasks')
export class PushController {
  private readonly streams = new TransferPlaces({
    all: MAX_STREAMS,
    ofOne: MAX_OF_ONE,
    reason: 'too-many-pushes',
  });

  constructor(private readonly tasks: TaskPush) {}

  @ApiOperation({
    operationId: 'pushTasks',
    tag: 'Tasks',
    summary: 'Create and change up to 1,000 tasks of a source by their external ids',
    description:
      'Answers a result for each task, in the order of the request. As NDJSON the body has no end, and the answer is a line for each line that is not blank, and a last one with the sums or an error. People, groups and applications are given by name: login, external id or e-mail; reference.',
    parameters: [
      queryParameter('source', 'the reference, URI or id of the source', {
        required: true,
        example: 'ERP',
      }),
      flagParameter('allOrNone', 'store nothing unless every task can be stored'),
      flagParameter('dryRun', 'answer what would be done, and do nothing'),
      flagParameter('snapshot', 'these are all open tasks of the source: cancel the others'),
      flagParameter('force', 'cancel more of them than the source allows'),
    ],
    body: PUSH_BODY,
    bodyLine: PUSH_ITEM,
    answer: PUSHED,
    otherAnswers: { [JSON_LINES_TYPE]: PUSHED_LINE },
    errors: [409],
  })
  @Put()
  @AnyParameters()
  @Produces(JSON_TYPE, JSON_LINES_TYPE)
  push(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() body: unknown,
  ): Promise<Pushed | StreamableFile> {
    if (stateOf(request).hasUnreadBody) return this.stream(caller, auditContext, request, response);
    return this.tasks.push(caller, auditContext, parsePushRequest(request, body, false));
  }

  /** A stream: the server stores its tasks while the body arrives, and answers line by line. */
  private async stream(
    caller: Caller,
    auditContext: AuditContext,
    request: Request,
    response: Response,
  ): Promise<StreamableFile> {
    const asked = parsePushRequest(request, undefined, true);
    if (excludes(request.headers.accept, [JSON_LINES_TYPE])) throw notAcceptable([JSON_LINES_TYPE]);
    // A source that does not exist is an ordinary error, before anything is read.
    await this.tasks.push(caller, auditContext, asked);
    const snapshot = asked.snapshot ? await this.tasks.beginSnapshot(caller, asked) : undefined;
    this.streams.take(caller, request, response);
    const answer = answerStream(request, {
      isDryRun: asked.dryRun,
      store: async (items) => {
        const pushed = await this.tasks.push(caller, auditContext, { ...asked, items });
        snapshot?.add(pushed.results);
        return pushed;
      },
      finish: async () =>
        snapshot ? this.tasks.finishSnapshot(caller, auditContext, asked, snapshot) : 0,
    });
    return new StreamableFile(Readable.from(answer, { highWaterMark: 1 }), {
      type: JSON_LINES_TYPE,
    });
  }
}
