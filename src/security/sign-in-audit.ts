import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../base/config/parse-cidr-list.js';
import type { AuditLine } from './audit.service.js';
import { presentState } from './audit-state.js';
import { AuditSums } from './audit-sums.js';
import { userUri } from './user-uri.js';

/**
 * Maximum number of equal lines written individually within a minute (in milliseconds). People never reach it.
 * Programs that sign in with every call do, and their further lines are summed.
 */
const ONE_BY_ONE = 10;
const MINUTE = 60_000;

/** Maximum number of keys that one process counts at a time. */
const MAX_COUNTED = 10_000;

/**
 * Records sign-ins and sign-outs in the audit trail. Their number is not limited, so it sums repeated ones
 * of an account from one network with the same kind of credential: they cannot fill the audit trail.
 */
@Injectable()
export class SignInAudit {
  private readonly written = new LRUCache<string, number>({ max: MAX_COUNTED, ttl: MINUTE });

  constructor(private readonly sums: AuditSums) {}

  /** Whether to write this line individually. If not, call `add` once its sign-in or sign-out has happened. */
  isWrittenAlone(line: AuditLine): boolean {
    const key = keyOf(line);
    const written = this.written.get(key) ?? 0;
    if (written >= ONE_BY_ONE && this.sums.hasRoomFor(key)) return false;
    // The minute starts at the first line.
    this.written.set(key, written + 1, { noUpdateTTL: true });
    return true;
  }

  /** Adds the line to the sum of its kind. */
  add(line: AuditLine): void {
    const { auditContext, entry } = line;
    this.sums.add(keyOf(line), {
      action: entry.action,
      reason: null,
      objectUri: entry.objectUri ?? null,
      actorUri: auditContext.caller ? userUri(auditContext.caller.id) : null,
      actorLogin: auditContext.caller?.login ?? null,
      agentUri: null,
      agentLogin: null,
      address: auditContext.address ?? null,
      requestId: auditContext.requestId ?? null,
      callerRequestId: auditContext.callerRequestId ?? null,
      after: entry.after === undefined ? null : presentState(entry.after),
      count: 1,
    });
  }
}

const keyOf = ({ auditContext: { caller, address }, entry }: AuditLine): string =>
  JSON.stringify([entry.action, caller?.id, networkOf(address ?? ''), entry.after]);
