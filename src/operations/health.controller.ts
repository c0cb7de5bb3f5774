import { Controller, Get } from '@nestjs/common';
import { Database } from '../database/database.js';
import { unavailable } from '../errors/refusals.js';
import { AnyContent } from '../negotiation/content.guard.js';
import { ParametersService } from '../security/parameters.service.js';
import { Public } from '../security/roles.guard.js';

interface Health {
  status: 'up';
}

/** For supervisors (decisions: Operation): outside the address rule, tells nothing but up or not. */
@Controller('health')
@Public()
@AnyContent()
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly parameters: ParametersService,
  ) {}

  /** The process answers; the database is not asked. */
  @Get('live')
  live(): Health {
    return { status: 'up' };
  }

  /** The server can do its work: the database answers, and the address rule admits somebody. */
  @Get('ready')
  async ready(): Promise<Health> {
    await this.database.rows({ text: 'SELECT 1', values: [] }).catch(() => {
      throw unavailable();
    });
    const { callerAddresses } = await this.parameters.current();
    if (callerAddresses.isEmpty) throw unavailable();
    return { status: 'up' };
  }
}
