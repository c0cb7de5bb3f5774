import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { namedSchema } from '../resources/openapi/component.js';
import { atLeast } from '../resources/openapi/schemas.js';
import { Database } from '../database/database.js';
import { unavailable } from '../base/errors/api-errors.js';
import { AnyContent } from '../http/request-format.guard.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { Public } from '../security/roles.guard.js';
import { LoadShedder } from '../http/load-shedding.js';
import { Measurement } from './measurement.js';

/** How long a readiness check may take, in milliseconds: supervisors give up early. */
const PATIENCE = 1_000;

/**
 * How long one check of the database serves all readiness checks, in milliseconds. Any address may call them, and they
 * bypass load shedding.
 */
const LOOK_LIFETIME = 500;

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
  private readonly look = new Measurement(LOOK_LIFETIME, () => this.canServe());

  constructor(
    private readonly admission: LoadShedder,
    private readonly database: Database,
    private readonly parameters: ParametersService,
  ) {}

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

  /**
   * The server can do its work: it is not shutting down, the database answers in time, and the IP allowlist
   * has an entry.
   */
  @ApiOperation({
    operationId: 'isReady',
    tag: 'Health',
    summary: 'Check that the server is ready to serve requests',
    answer: HEALTH,
  })
  @Get('ready')
  async ready(): Promise<Health> {
    const late = delay(PATIENCE, false, { ref: false });
    const ready = !this.admission.isStopping && (await Promise.race([this.look.read(), late]));
    if (ready !== true) throw unavailable();
    return { status: 'up' };
  }

  private async canServe(): Promise<boolean> {
    await this.database.rows({ text: 'SELECT 1', values: [] });
    const { callerAddresses } = await this.parameters.current();
    return !callerAddresses.isEmpty;
  }
}
