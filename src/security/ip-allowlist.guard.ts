import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { addressNotAllowed } from '../base/errors/api-errors.js';
import { toApiError } from '../base/errors/to-api-error.js';
import { stateOf } from '../http/request-state.js';
import { sendError } from '../http/send-error.js';
import { ClientAddressService } from './client-address.service.js';
import { ParametersService } from './parameters/parameters.service.js';

/**
 * The IP allowlist (docs/api-contract.md#addresses), the first of the global guards. Its early check runs
 * as middleware before a byte of the body is read. The guard checks every request that has not passed the
 * early check, so that no route is reachable without it (docs/decisions/0001).
 */
@Injectable()
export class IpAllowlistGuard implements CanActivate {
  constructor(
    private readonly addresses: ClientAddressService,
    private readonly parameters: ParametersService,
  ) {}

  /** Express middleware. */
  readonly checkEarly = (request: Request, response: Response, next: NextFunction): void => {
    if (stateOf(request).facts.isProbe) return next();
    this.check(request).then(
      () => next(),
      (error: unknown) => sendError(response, toApiError(error)),
    );
  };

  /** @throws ApiError 403 */
  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<Request>();
    const { facts, allowedAddress } = stateOf(request);
    return facts.isProbe || allowedAddress !== undefined || this.check(request);
  }

  /**
   * Checks whether the address of a request is allowed, before the request and again after a long wait.
   * @throws ApiError 403
   */
  async check(request: Request): Promise<true> {
    const { callerAddresses } = await this.parameters.current();
    const { address } = this.addresses.of(request);
    if (address === undefined || !callerAddresses.has(address)) throw addressNotAllowed();
    stateOf(request).allowedAddress = address;
    return true;
  }
}
