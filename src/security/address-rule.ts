import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { answerRefusal } from '../errors/answer-refusal.js';
import { refusalOf } from '../errors/refusal-of.js';
import { addressRefused } from '../errors/refusals.js';
import { ClientAddressService } from './client-address.service.js';
import { setAddress } from './origin.js';
import { ParametersService } from './parameters.service.js';

/** Probes of a supervisor come from anywhere and tell nothing but up or not. */
export const PROBES: ReadonlySet<string> = new Set(['/health/live', '/health/ready']);

/**
 * The address rule (interface: Server configuration): decided for every path, known or not, before
 * anything of the request is read. It stands in front of the framework's guards, because those do
 * not run for unknown routes, and because a body is parsed before them.
 */
@Injectable()
export class AddressRule {
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
        if (address === undefined || !callerAddresses.has(address)) throw addressRefused();
        setAddress(request, address);
      } catch (error) {
        return answerRefusal(response, refusalOf(error));
      }
      next();
    };
    void decide();
  };
}
