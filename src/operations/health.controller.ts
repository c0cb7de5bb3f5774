import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get } from '@nestjs/common';
import { Database } from '../database/database.js';
import { unavailable } from '../errors/api-errors.js';
import { AnyContent } from '../http/request-format.guard.js';
import { ParametersService } from '../security/parameters.service.js';
import { Public } from '../security/roles.guard.js';
import { LoadShedder } from '../http/load-shedding.js';

/** A supervisor does not wait long; in milliseconds. */
const PATIENCE = 1_000;

interface Health {
  status: 'up';
}

/**
 * For supervisors (docs/api-contract.md#where-this-server-stretches-the-contract): outside the
 * address rule, tells nothing but up or not.
 */
@Controller('health')
@Public()
@AnyContent()
export class HealthController {
  constructor(
    private readonly admission: LoadShedder,
    private readonly database: Database,
    private readonly parameters: ParametersService,
  ) {}

  /** The process answers; the database is not asked. */
  @Get('live')
  live(): Health {
    return { status: 'up' };
  }

  /**
   * The server can do its work: it is not about to stop, the database answers soon, and the address
   * rule admits somebody.
   */
  @Get('ready')
  async ready(): Promise<Health> {
    const late = delay(PATIENCE, false, { ref: false });
    const ready = await Promise.race([this.isReady().catch(() => false), late]);
    if (!ready) throw unavailable();
    return { status: 'up' };
  }

  private async isReady(): Promise<boolean> {
    if (this.admission.isStopping) return false;
    await this.database.rows({ text: 'SELECT 1', values: [] });
    const { callerAddresses } = await this.parameters.current();
    return !callerAddresses.isEmpty;
  }
}
