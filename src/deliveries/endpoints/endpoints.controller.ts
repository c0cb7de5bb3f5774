import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Put,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { Response } from 'express';
import { FixedBodyPipe } from '../../http/fixed-body.pipe.js';
import { AnyParameters } from '../../http/request-format.guard.js';
import { ApiOperation } from '../../resources/openapi/api-operation.decorator.js';
import { IdPipe } from '../../resources/http/id.pipe.js';
import { answerList } from '../../resources/http/answer-list.js';
import { List } from '../../resources/http/list.pipe.js';
import { type ListPlan, within } from '../../resources/list/plan-list.js';
import { RequirePermissionWith } from '../../resources/http/require-permission-with.js';
import { resourceController } from '../../resources/http/resource.controller.js';
import { CurrentAuditContext } from '../../security/audit-context.js';
import type { AuditContext } from '../../security/audit.service.js';
import { type Caller, CurrentCaller } from '../../security/caller.js';
import { RecentProofGuard } from '../../security/recent-proof.guard.js';
import { deliveries } from '../events/delivery.resource.js';
import { EndpointRules } from './endpoint-rules.service.js';
import { EndpointCredentialsDto, EndpointSecretDto, ReplayDto } from './endpoint.dto.js';
import { endpoints } from './endpoint.resource.js';
import { NEW_SECRET, REPLAYED, RETRIED, TEST_DELIVERY } from './endpoint.schemas.js';
import { EndpointsService } from './endpoints.service.js';
import type { Replayed } from '../events/replay.js';

/** Endpoints, which receive the events of tasks (docs/api-contract.md#endpoints). */
@Controller('api/v2/process/endpoints')
export class EndpointsController extends resourceController(endpoints) {
  @Inject(EndpointsService) private readonly service!: EndpointsService;
  @Inject(EndpointRules) override hooks!: EndpointRules;

  /** The only answer that holds the secret. */
  @ApiOperation({
    operationId: 'addEndpointSecret',
    tag: 'Endpoints',
    summary:
      'Make a new secret of an endpoint; only this response shows it, and the former ones sign too for a while',
    answer: NEW_SECRET,
  })
  @Post(':id/secrets')
  @RequirePermissionWith(endpoints, 'endpoints:change')
  @UseGuards(RecentProofGuard)
  addSecret(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id', IdPipe) id: string,
    @Body(FixedBodyPipe) { overlap }: EndpointSecretDto,
  ): Promise<{ secret: string; signature: string; formerExpiration: string | null }> {
    return this.service.addSecret(auditContext, id, overlap);
  }

  @ApiOperation({
    operationId: 'setEndpointCredentials',
    tag: 'Endpoints',
    summary: 'Set how an endpoint with an adapter signs in at its engine; nothing shows it again',
    errors: [409],
  })
  @Put(':id/credentials')
  @RequirePermissionWith(endpoints, 'endpoints:change')
  @UseGuards(RecentProofGuard)
  @HttpCode(204)
  setCredentials(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id', IdPipe) id: string,
    @Body(FixedBodyPipe) credentials: EndpointCredentialsDto,
  ): Promise<void> {
    return this.service.setCredentials(auditContext, id, credentials);
  }

  @ApiOperation({
    operationId: 'testEndpoint',
    tag: 'Endpoints',
    summary: 'Send an endpoint an event that is about no task',
    answer: TEST_DELIVERY,
    errors: [409],
  })
  @Post(':id/test')
  @RequirePermissionWith(endpoints, 'endpoints:change')
  async test(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id', IdPipe) id: string,
  ): Promise<{ id: string; messageId: string }> {
    await this.service.requireOpenSecret(id);
    return this.service.test(auditContext, id);
  }

  @ApiOperation({
    operationId: 'retryDeliveries',
    tag: 'Endpoints',
    summary:
      'Try the deliveries of an endpoint that have failed attempts and wait for the next one now',
    answer: RETRIED,
  })
  @Post(':id/retry')
  @RequirePermissionWith(endpoints, 'endpoints:change')
  @HttpCode(200)
  retry(
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id', IdPipe) id: string,
  ): Promise<{ count: number }> {
    return this.service.retry(auditContext, id);
  }

  @ApiOperation({
    operationId: 'listDeliveries',
    tag: 'Endpoints',
    summary: 'List the deliveries of an endpoint with their last 20 attempts, the newest last',
    lists: deliveries,
  })
  @Get(':id/deliveries')
  @RequirePermissionWith(endpoints, 'endpoints:read')
  @AnyParameters()
  async deliveries(
    @Param('id', IdPipe) id: string,
    @List(deliveries) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    const narrowed = within(plan, 't.endpoint_id = :endpoint', { endpoint: id });
    return answerList(this.reader, narrowed, response);
  }

  /** Replays deliveries by id, or those that failed, that lie in a period, or that follow one. */
  @ApiOperation({
    operationId: 'replayDeliveries',
    tag: 'Endpoints',
    summary: 'Send deliveries of an endpoint again that were delivered or have failed',
    answer: REPLAYED,
  })
  @Post(':id/replay')
  @RequirePermissionWith(endpoints, 'endpoints:change')
  @HttpCode(200)
  replay(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id', IdPipe) id: string,
    @Body(FixedBodyPipe) order: ReplayDto,
  ): Promise<Replayed> {
    return this.service.replay(caller, auditContext, id, order);
  }
}
