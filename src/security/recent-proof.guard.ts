import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { requireCaller } from './caller.js';
import { requireRecentProof } from './recent-proof.js';

/**
 * Opens a route to callers with a recent proof of identity, before its pipes validate the body.
 * @throws ApiError 401 that says how to confirm (RFC 9470); 403 for the token of an API key
 */
@Injectable()
export class RecentProofGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    requireRecentProof(requireCaller(context.switchToHttp().getRequest<Request>()));
    return true;
  }
}
