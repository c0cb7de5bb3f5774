import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { Database } from '../../database/database.js';
import { users } from '../../directory/user.resource.js';
import { flag } from '../../http/body-rules.js';
import { FixedBodyPipe } from '../../http/fixed-body.pipe.js';
import { namesInPath } from '../../resources/http/resource.controller.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../../resources/openapi/component.js';
import { atLeast, count, flag as isTrue } from '../../resources/openapi/schemas.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { Access, asking } from '../../security/access.guard.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import type { AuditContext } from '../../security/audit.service.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { Assignments } from '../tasks/assignments.service.js';
import { findNewOwner, newOwner } from '../tasks/new-owner.js';
import { Handovers, type Waiting } from './handover.service.js';

/** `POST /directory/users/{id}/handover` */
export class HandoverDto {
  @newOwner()
  to!: unknown;

  @IsOptional()
  @flag()
  dryRun = false;
}

/** What a handover did, or would do. */
interface Handover extends Waiting {
  dryRun: boolean;
  /** What is still with the user. */
  remaining: Waiting;
}

const NUMBERS = { tasks: count, candidatures: count, substitutions: count };
const HANDOVER = namedSchema(
  'Handover',
  atLeast({ dryRun: isTrue, ...NUMBERS, remaining: atLeast(NUMBERS) }),
);

const mayHandOver = asking<HandoverController>(
  'tasks:change',
  async ({ reader, assignments }, caller, { id = '' }) => {
    await reader.get(users, caller, id);
    assignments.requireMayAssign(caller);
  },
);

/** Gives what waits for a user to somebody else (docs/api-contract.md#people-who-leave). */
@Controller('api/v2/directory/users/:id')
@namesInPath({ id: users })
export class HandoverController {
  constructor(
    readonly reader: ResourceReader,
    readonly assignments: Assignments,
    private readonly handovers: Handovers,
    private readonly database: Database,
  ) {}

  @ApiOperation({
    operationId: 'handOver',
    tag: 'Users',
    summary:
      'Give the open tasks, candidatures and substitutions of a user to a person, to a group or back',
    answer: HANDOVER,
    errors: [409],
  })
  @Post('handover')
  @Access(mayHandOver)
  @HttpCode(200)
  async handOver(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Body(FixedBodyPipe) { to, dryRun }: HandoverDto,
  ): Promise<Handover> {
    const owner = await findNewOwner(to, caller, this.database);
    const { moved, remaining } = await this.handovers.handOver(
      { caller, auditContext },
      id,
      owner,
      dryRun,
    );
    return { dryRun, ...moved, remaining };
  }
}
