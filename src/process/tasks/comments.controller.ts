import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Database, type Reader } from '../../database/database.js';
import { users } from '../../directory/user.resource.js';
import { FixedBodyPipe } from '../../http/fixed-body.pipe.js';
import { AnyParameters } from '../../http/request-format.guard.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../../resources/openapi/component.js';
import { atLeast, listOf, orNull, REF, text, timestamp } from '../../resources/openapi/schemas.js';
import { IdPipe } from '../../resources/http/id.pipe.js';
import type { Range } from '../../resources/list/range.js';
import { answerWhole, PageRange } from '../../resources/http/whole-list.js';
import { presentRef, type Ref } from '../../resources/ref.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { namesInPath } from '../../resources/http/resource.controller.js';
import { uriOf } from '../../resources/uri.js';
import { type AuditContext, AuditService } from '../../security/audit.service.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { TaskCommentDto } from './comment.dto.js';
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
  creationDate: string;
}

interface Row {
  id: string;
  text: string;
  creationDate: string;
  author: string | null;
  login: string;
  name: string;
  absentee: string | null;
  absenteeLogin: string;
  absenteeName: string;
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
    const newest = await readComments(this.database, 'c.task_id = $1', id);
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
      const absentee = onBehalfOf(caller, representation);
      const [row] = await transaction.rows({
        text: 'INSERT INTO task_comments (task_id, author_id, text, on_behalf_of_id) VALUES ($1, $2, $3, $4) RETURNING id::text',
        values: [id, caller.id, said, absentee?.id ?? null],
      });
      const commentId = String(row![0]);
      await this.audit.record(transaction, auditContext, {
        action: 'create',
        objectUri: `${uriOf(tasks.ref.uri, id)}/comments/${commentId}`,
        after: { text: said, ...(absentee && { onBehalfOf: absentee }) },
      });
      const [comment] = await readComments(transaction, 'c.id = $1', commentId);
      return comment!;
    });
  }
}

/** Reads comments, the newest first. */
async function readComments(reader: Reader, condition: string, id: string): Promise<Comment[]> {
  const rows = await reader.query<Row>({
    text: `SELECT c.id::text, c.text, c.date AS "creationDate", u.id::text AS author, u.login, u.${users.ref.labelColumn} AS name,
        a.id::text AS absentee, a.login AS "absenteeLogin", a.${users.ref.labelColumn} AS "absenteeName"
      FROM task_comments c LEFT JOIN users u ON u.id = c.author_id LEFT JOIN users a ON a.id = c.on_behalf_of_id
      WHERE ${condition} ORDER BY c.id DESC LIMIT ${MAX_COMMENTS}`,
    values: [id],
  });
  return rows.map((row) => ({
    id: row.id,
    author: presentUser(row.author, row.login, row.name),
    onBehalfOf: presentUser(row.absentee, row.absenteeLogin, row.absenteeName),
    text: row.text,
    creationDate: row.creationDate,
  }));
}

const presentUser = (id: string | null, login: string, name: string): Ref | null =>
  id === null ? null : presentRef(users.ref, id, login, name);
