import { Injectable } from '@nestjs/common';
import { Housekeeping } from '../../database/housekeeping.js';
import { PARAMETERS, retentionEnd } from '../../security/parameters/parameter-definitions.js';

/**
 * Deletes closed tasks, with their comments and files, once they are older than a server parameter says. A decision that
 * still waits for its engine keeps its task.
 */
@Injectable()
export class TaskRetention {
  constructor(housekeeping: Housekeeping) {
    const end = retentionEnd(PARAMETERS.taskRetention);
    housekeeping.register(
      'tasks',
      `closed_date < ${end} AND confirmation IS DISTINCT FROM 'pending'`,
    );
  }
}
