import { Controller, Get } from '@nestjs/common';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../resources/openapi/component.js';
import { atLeast } from '../resources/openapi/schemas.js';
import { unavailable } from '../base/errors/api-errors.js';
import { AnyContent } from '../http/request-format.guard.js';
import { Public } from '../security/permission.guard.js';
import { Readiness } from './readiness.js';

const HEALTH = namedSchema('Health', atLeast({ status: { const: 'up' } }));

interface Health {
  status: 'up';
}

/**
 * Health checks for supervisors (docs/api-contract.md#where-this-server-stretches-the-contract). They bypass the IP
 * allowlist, and answer only up or down.
 */
@Controller('health')
@Public()
@AnyContent()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process answers; it does not ask the database. */
  @ApiOperation({
    operationId: 'isLive',
    tag: 'Health',
    summary: 'Check that the process responds',
    answer: HEALTH,
  })
  @Get('live')
  live(): Health {
    return { status: 'up' };
  }

  @ApiOperation({
    operationId: 'isReady',
    tag: 'Health',
    summary: 'Check that the server is ready to serve requests',
    answer: HEALTH,
  })
  @Get('ready')
  async ready(): Promise<Health> {
    if (!(await this.readiness.isReady())) throw unavailable();
    return { status: 'up' };
  }
}
