import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { stateOf } from '../http/request-state.js';
import { type AuditSum, AuditSums } from './audit-sums.js';
import { ClientAddressService } from './client-address.service.js';
import { userUri } from './user-uri.js';

/**
 * Statuses of denied access. The audit trail records these and every error with a reason for the trail, but no other
 * invalid input.
 */
const AUDITED = new Set([401, 403, 429]);

/** Records denied access in the audit trail, summed by address and reason. */
@Injectable()
export class DeniedAccessAudit {
  constructor(
    private readonly addresses: ClientAddressService,
    private readonly sums: AuditSums,
  ) {}

  /** Express middleware, installed before every step that can deny access. */
  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    response.once('finish', () => this.add(request));
    next();
  };

  private add(request: Request): void {
    const { error, caller, id = null, callerId = null } = stateOf(request);
    if (!error) return;
    if (!AUDITED.has(error.status) && error.audited.reason === undefined) return;
    const { address, peer } = this.addresses.of(request);
    const { reason = error.message, objectUri = null } = error.audited;
    const sum: AuditSum = {
      ...FURTHER,
      reason,
      objectUri,
      actorUri: caller ? userUri(caller.id) : null,
      actorLogin: caller?.login ?? null,
      agentUri: caller?.agent ? userUri(caller.agent.id) : null,
      agentLogin: caller?.agent?.login ?? null,
      address: address ?? peer,
      requestId: id,
      callerRequestId: callerId,
    };
    const key = JSON.stringify([sum.address, reason, sum.actorUri, sum.agentUri, objectUri]);
    if (this.sums.hasRoomFor(key)) this.sums.add(key, sum);
    else this.sums.add('', { ...FURTHER });
  }
}

/** The line that counts all events beyond the maximum number of sums. */
const FURTHER: AuditSum = {
  action: 'refuse',
  reason: 'further refusals',
  objectUri: null,
  actorUri: null,
  actorLogin: null,
  agentUri: null,
  agentLogin: null,
  address: null,
  requestId: null,
  callerRequestId: null,
  after: null,
  count: 1,
};
