import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { LoadShedder } from '../http/load-shedding.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { Measurement } from './measurement.js';

/** How long a check may take, in milliseconds: supervisors give up early. */
const PATIENCE = 1_000;

/**
 * How long one check of the database serves all readiness checks, in milliseconds. Any address may call them, and they
 * bypass load shedding.
 */
const LOOK_LIFETIME = 500;

/** Whether the server can do its work. */
@Injectable()
export class Readiness {
  private readonly look = new Measurement(LOOK_LIFETIME, () => this.canServe());

  constructor(
    private readonly admission: LoadShedder,
    private readonly database: Database,
    private readonly parameters: ParametersService,
  ) {}

  /** The server is not shutting down, the database answers in time, and the IP allowlist has an entry. */
  async isReady(): Promise<boolean> {
    if (this.admission.isStopping) return false;
    const late = delay(PATIENCE, false, { ref: false });
    return (await Promise.race([this.look.read(), late])) === true;
  }

  private async canServe(): Promise<boolean> {
    await this.database.rows({ text: 'SELECT 1', values: [] });
    const { callerAddresses } = await this.parameters.current();
    return !callerAddresses.isEmpty;
  }
}
