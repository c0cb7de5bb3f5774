import { Injectable } from '@nestjs/common';
import { ApiError, conflict } from '../../base/errors/api-errors.js';
import { reason } from '../../base/errors/reason.js';
import { Database, type Transaction } from '../../database/database.js';
import { users } from '../../directory/user.resource.js';
import { ResourceReader } from '../../resources/resource-reader.js';
import { uriOf } from '../../resources/uri.js';
import { ResourceWriter } from '../../resources/write/resource-writer.js';
import { type Assigner, Assignments, type TaskCounts } from '../tasks/assignments.service.js';
import type { NewOwner } from '../tasks/new-owner.js';
import { absences } from '../absences/absence.resource.js';
import { AbsenceRules } from '../absences/absence.rules.js';

/** What waits for a user. */
export interface Waiting extends TaskCounts {
  substitutions: number;
}

/** What a handover moved, and what stays where it is. */
export interface HandedOver {
  moved: Waiting;
  remaining: Waiting;
}

/** Gives what waits for a user to somebody else (docs/api-contract.md#people-who-leave). */
@Injectable()
export class Handovers {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly writer: ResourceWriter,
    private readonly assignments: Assignments,
    private readonly absenceRules: AbsenceRules,
  ) {}

  /**
   * Gives the open tasks, candidatures and substitutions of a user to somebody else, in one transaction.
   * @returns what was handed over, and what the caller may not move or nobody could get
   * @throws ApiError 409 for the user as the new owner
   */
  async handOver(
    assigner: Assigner,
    id: string,
    owner: NewOwner,
    isDryRun: boolean,
  ): Promise<HandedOver> {
    if (owner.kind === 'user' && owner.id === id) throw conflict(reason('handed-to-oneself'));
    const work = async (transaction: Transaction): Promise<HandedOver> => {
      const given = { ...assigner, transaction };
      const { moved, remaining } = await this.assignments.handOver(given, id, owner);
      const substitutions = await this.substitute(given, id, owner);
      return {
        moved: { ...moved, substitutions: substitutions.moved },
        remaining: { ...remaining, substitutions: substitutions.remaining },
      };
    };
    if (isDryRun) return this.database.rehearse(work);
    const handedOver = await this.database.transaction(work);
    await this.absenceRules.afterCommit();
    return handedOver;
  }

  /** Hands over absences of others. A rule that does not fit stays as it is. */
  private async substitute(
    { transaction, caller, auditContext }: Assigner & { transaction: Transaction },
    id: string,
    owner: NewOwner,
  ): Promise<{ moved: number; remaining: number }> {
    const rules = await transaction.rows({
      text: 'SELECT id FROM absences WHERE substitute_id = $1 AND end_date > now() ORDER BY id',
      values: [id],
    });
    let moved = 0;
    if (owner.kind === 'user' && caller.rights.permits('absences:change'))
      for (const [one] of rules) {
        const rule = String(one);
        const change = { resource: absences, caller, auditContext, id: rule };
        try {
          const { representation } = await this.reader.get(absences, caller, rule, transaction);
          const body = { ...representation, substitute: uriOf(users.ref.uri, owner.id) };
          await this.writer.replaceWithin({ transaction }, change, this.absenceRules, body);
          moved++;
        } catch (error) {
          // Nothing was written yet: the caller may not see the rule, or the rules refuse an own substitute, a circle, and
          // somebody who is inactive.
          if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401)
            throw error;
        }
      }
    return { moved, remaining: rules.length - moved };
  }
}
