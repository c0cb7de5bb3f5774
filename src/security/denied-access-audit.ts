import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { errorSentTo } from '../errors/send-error.js';
import { type AuditSum, AuditSums } from './audit-sums.js';
import { callerOf } from './caller.js';
import { ClientAddressService } from './client-address.service.js';
import { auditContextOf } from './audit-context.js';

/**
 * Who may not: these statuses are kept, and what gives its reason for the audit trail. Other bad input
 * is no matter of the trail.
 */
const AUDITED = new Set([401, 403, 429]);

/** Refusals in the audit trail, summed by address and reason. */
@Injectable()
export class DeniedAccessAudit {
  constructor(
    private readonly addresses: ClientAddressService,
    private readonly sums: AuditSums,
  ) {}

  /** Express middleware, before everything that may refuse. */
  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    response.once('finish', () => this.add(request, response));
    next();
  };

  private add(request: Request, response: Response): void {
    const refusal = errorSentTo(response);
    if (!refusal) return;
    if (!AUDITED.has(refusal.status) && refusal.audited.reason === undefined) return;
    const { address, peer } = this.addresses.of(request);
    const caller = callerOf(request);
    const { requestId = null, callerRequestId = null } = auditContextOf(request);
    const { reason = refusal.message, objectUri = null } = refusal.audited;
    const sum: AuditSum = {
      ...FURTHER,
      reason,
      objectUri,
      actorUri: caller ? `/directory/users/${caller.id}` : null,
      actorLogin: caller?.login ?? null,
      address: address ?? peer,
      requestId,
      callerRequestId,
    };
    const key = JSON.stringify([sum.address, reason, sum.actorUri, objectUri]);
    if (this.sums.hasRoomFor(key)) this.sums.add(key, sum);
    else this.sums.add('', { ...FURTHER });
  }
}

/** What is counted when there are too many kinds to tell apart. */
const FURTHER: AuditSum = {
  action: 'refuse',
  reason: 'further refusals',
  objectUri: null,
  actorUri: null,
  actorLogin: null,
  address: null,
  requestId: null,
  callerRequestId: null,
  after: null,
  count: 1,
};
