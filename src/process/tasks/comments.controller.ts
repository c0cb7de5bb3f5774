import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Response } from 'express';
import type { FindOptionsWhere, Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { presentUser, USER_REF } from '../../directory/user-ref.js';
import { FixedBodyPipe } from '../../http/fixed-body.pipe.js';
import { AnyParameters } from '../../http/request-format.guard.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../../resources/openapi/component.js';
import { atLeast, listOf, orNull, REF, text, timestamp } from '../../resources/openapi/schemas.js';
import { IdPipe } from '../../resources/http/id.pipe.js';
import type { Range } from '../../resources/list/range.js';
import { answerWhole, PageRange } from '../../resources/http/whole-list.js';
import type { Ref } from '../../resources/ref.js';
import { requirePart } from './require-part.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { namesInPath } from '../../resources/http/resource.controller.js';
import { uriOf } from '../../resources/uri.js';
import { type AuditContext, AuditService } from '../../security/audit.service.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { TaskCommentDto } from './comment.dto.js';
import { TaskComment } from './comment.entity.js';
import { tasks } from './task.resource.js';
import { onBehalfOf } from './task-end.js';

/** A comment on a task (docs/api-contract.md#comments-on-tasks). */
interface Comment {
  id: string;
  /** Null for a user who was deleted. */
  author: Ref | null;
  /** The person for whom the author stood in. */
  onBehalfOf: Ref | null;
  text: string;
  creationDate: Date;
}

/** Most comments of an answer: the newest. */
const MAX_COMMENTS = 200;

const COMMENT = namedSchema(
  'TaskComment',
  atLeast({
    id: text,
    author: orNull(REF),
    onBehalfOf: orNull(REF),
    text,
    creationDate: timestamp,
  }),
);

/** People discuss a task. A comment changes no attribute of the task (docs/api-contract.md#comments-on-tasks). */
@Controller('api/v2/process/tasks')
@namesInPath({ id: tasks })
export class CommentsController {
  constructor(
    @InjectRepository(TaskComment) private readonly comments: Repository<TaskComment>,
    private readonly database: Database,
    readonly reader: ResourceReader,
    private readonly audit: AuditService,
  ) {}

  @ApiOperation({
    operationId: 'listTaskComments',
    tag: 'Tasks',
    summary: 'List what people say about a task, oldest first',
    answer: listOf(COMMENT),
    isPaged: true,
    errors: [404],
  })
  @Get(':id/comments')
  @AnyParameters()
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: string,
    @PageRange() range: Range,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Comment[]> {
    await this.reader.get(tasks, caller, id);
    const newest = await readComments(this.comments, { taskId: id });
    return answerWhole(newest.reverse(), range, response);
  }

  @ApiOperation({
    operationId: 'addTaskComment',
    tag: 'Tasks',
    summary: 'Say something about a task',
    answer: COMMENT,
    errors: [404],
  })
  @Post(':id/comments')
  add(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id', IdPipe) id: string,
    @Body(FixedBodyPipe) { text: said }: TaskCommentDto,
  ): Promise<Comment> {
    return this.database.transaction(async (transaction) => {
      const { representation } = await this.reader.get(tasks, caller, id, transaction);
      await requirePart(this.reader, caller, id, transaction);
      const absentee = onBehalfOf(caller, representation);
      const comments = transaction.of(TaskComment);
      const { identifiers } = await comments.insert({
        taskId: id,
        authorId: caller.id,
        text: said,
        onBehalfOfId: absentee?.id ?? null,
      });
      const commentId = String(identifiers[0]!.id);
      await this.audit.record(transaction, auditContext, {
        action: 'create',
        objectUri: `${uriOf(tasks.ref.uri, id)}/comments/${commentId}`,
        after: { text: said, ...(absentee && { onBehalfOf: absentee }) },
      });
      const [comment] = await readComments(comments, { id: commentId });
      return comment!;
    });
  }
}

/** Reads comments, the newest first. */
async function readComments(
  comments: Repository<TaskComment>,
  where: FindOptionsWhere<TaskComment>,
): Promise<Comment[]> {
  const select = {
    id: true,
    text: true,
    creationDate: true,
    author: USER_REF,
    onBehalfOf: USER_REF,
  };
  const relations = { author: true, onBehalfOf: true };
  const found = await comments
    .createQueryBuilder()
    .setFindOptions({ select, relations, where, order: { id: 'DESC' } })
    // With `take`, TypeORM would read the ids of joined rows by a statement of their own.
    .limit(MAX_COMMENTS)
    .getMany();
  return found.map(({ id, author, onBehalfOf, text, creationDate }) => ({
    id,
    author: presentUser(author),
    onBehalfOf: presentUser(onBehalfOf),
    text,
    creationDate,
  }));
}
