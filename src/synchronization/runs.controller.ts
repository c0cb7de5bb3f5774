import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import type { Response } from 'express';
import { Config } from '../base/config/config.js';
import { conflict, notFound } from '../base/errors/api-errors.js';
import { listOfProvider } from '../directory/list-of-provider.js';
import { providers } from '../directory/provider.resource.js';
import { flag } from '../http/body-rules.js';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { AnyParameters } from '../http/request-format.guard.js';
import { IdPipe } from '../resources/http/id.pipe.js';
import { List } from '../resources/http/list.pipe.js';
import { namesInPath } from '../resources/http/resource.controller.js';
import type { ListPlan } from '../resources/list/plan-list.js';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { detailedSchema } from '../resources/openapi/resource-schemas.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { uriOf } from '../resources/uri.js';
import { CurrentAuditContext } from '../security/audit-context.js';
import { type AuditContext, recordAudit } from '../security/audit.service.js';
import { type Caller, CurrentCaller } from '../security/caller.js';
import { RequirePermission } from '../security/permission.guard.js';
import { providerRuns } from './run.resource.js';
import { RunRefused } from './run-records.js';
import { Synchronizations } from './synchronizations.service.js';

/** `POST /directory/providers/{id}/synchronizations` */
export class SynchronizationDto {
  @IsOptional()
  @flag()
  dryRun = false;

  /** Whether it reads everything, not only what has changed since the last run. */
  @IsOptional()
  @flag()
  full = true;

  @IsOptional()
  @flag()
  withoutBrake = false;
}

/** The runs of an LDAP provider (docs/ldap.md#runs). */
@Controller('api/v2/directory/providers/:id')
@namesInPath({ id: providers })
export class RunsController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly synchronizations: Synchronizations,
    private readonly config: Config,
  ) {}

  @ApiOperation({
    operationId: 'listProviderRuns',
    tag: 'Providers',
    summary: 'List the runs of an LDAP provider',
    lists: providerRuns,
  })
  @Get('runs')
  @AnyParameters()
  list(
    @Param('id') id: string,
    @List(providerRuns) plan: ListPlan,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>[]> {
    return listOfProvider(this.reader, plan, id, response);
  }

  @ApiOperation({
    operationId: 'getProviderRun',
    tag: 'Providers',
    summary: 'Read a run of an LDAP provider, with its first 10,000 changes',
    description: 'All changes of a dry run; of another run the entries that were skipped.',
    answer: detailedSchema(providerRuns),
  })
  @Get('runs/:runId')
  async get(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('runId', IdPipe) runId: string,
  ): Promise<Record<string, unknown>> {
    await this.reader.get(providers, caller, id);
    const rows = await this.reader.database.rows({
      text: 'SELECT 1 FROM provider_runs WHERE id = $1 AND provider_id = $2',
      values: [runId, id],
    });
    if (rows.length === 0) throw notFound();
    return (await this.reader.get(providerRuns, caller, runId)).representation;
  }

  @ApiOperation({
    operationId: 'synchronizeProvider',
    tag: 'Providers',
    summary: 'Start a run of an LDAP provider, which goes on after the answer',
    answer: detailedSchema(providerRuns),
    hasLocation: true,
    errors: [409],
  })
  @Post('synchronizations')
  @RequirePermission('providers:change')
  @HttpCode(202)
  async synchronize(
    @CurrentCaller() caller: Caller,
    @CurrentAuditContext() auditContext: AuditContext,
    @Param('id') id: string,
    @Body(FixedBodyPipe) order: SynchronizationDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Record<string, unknown>> {
    await this.reader.get(providers, caller, id);
    const { dryRun: isDryRun, full: isFull, withoutBrake } = order;
    const runId = await this.synchronizations
      .start({ provider: id, isDryRun, isFull, withoutBrake })
      .catch((error: unknown) => {
        throw error instanceof RunRefused ? conflict(error.reason) : error;
      });
    await recordAudit(this.reader.database, auditContext, {
      action: 'import',
      objectUri: uriOf(providers.ref.uri, id),
      after: { ...order },
    });
    const place = uriOf(uriOf(providers.ref.uri, id) + '/runs', runId);
    response.setHeader('Location', `${this.config.env.BASE_PATH}/api/v2${place}`);
    return (await this.reader.get(providerRuns, caller, runId)).representation;
  }
}
