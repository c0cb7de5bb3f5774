import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { sendError } from '../errors/send-error.js';
import { toApiError } from '../errors/to-api-error.js';
import { PROBES } from '../http/route-facts.js';
import { addressNotAllowed } from '../errors/api-errors.js';
import { ClientAddressService } from './client-address.service.js';
import { setAddress } from './audit-context.js';
import { ParametersService } from './parameters.service.js';

/**
 * The address rule (docs/api-contract.md#addresses): decided for every path, known or not, before
 * anything of the request is read. It stands in front of the framework's guards, because those do
 * not run for unknown routes, and because a body is parsed before them.
 */
@Injectable()
export class IpAllowlist {
  constructor(
    private readonly addresses: ClientAddressService,
    private readonly parameters: ParametersService,
  ) {}

  /** Express middleware. */
  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    if (PROBES.has(request.path)) return next();
    const decide = async (): Promise<void> => {
      try {
        const { callerAddresses } = await this.parameters.current();
        const { address } = this.addresses.of(request);
        if (address === undefined || !callerAddresses.has(address)) throw addressNotAllowed();
        setAddress(request, address);
      } catch (error) {
        return sendError(response, toApiError(error));
      }
      next();
    };
    void decide();
  };
}
