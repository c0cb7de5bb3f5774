import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOperation } from '../resources/openapi/api-operation.decorator.js';
import { queryParameter } from '../resources/openapi/parameters.js';
import { ADDRESS_CHECK } from './administration.schemas.js';
import { isAddress } from '../base/config/parse-cidr-list.js';
import { invalidField } from '../base/errors/api-errors.js';
import { KnownParameters } from '../http/request-format.guard.js';
import { queryOf } from '../http/query-string.js';
import type { CidrSet } from '../security/cidr-set.js';
import { ClientAddressService } from '../security/client-address.service.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { RequirePermission } from '../security/permission.guard.js';
import { reason } from '../base/errors/reason.js';

/** Whether an IP allowlist admits an address. */
export interface Verdict {
  allowed: boolean;
  /** The entry of the list that admits it, as written. */
  rule: string | null;
}

/** The checked address, its origin, and the verdicts of the two IP allowlists. */
export interface AddressCheck {
  address: string | null;
  /** The peer of this call's socket, also when `address` asks about another address. */
  peer: string;
  /** The addresses in X-Forwarded-For; empty when the peer is not a trusted proxy. */
  forwarded: string[];
  callers: Verdict;
  sysadmin: Verdict;
}

export const judge = (rules: CidrSet, address: string | undefined): Verdict => {
  const rule = address === undefined ? undefined : rules.ruleFor(address);
  return { allowed: rule !== undefined, rule: rule ?? null };
};

/** docs/api-contract.md#address-check */
@Controller('api/v2/administration/address-check')
export class AddressCheckController {
  constructor(
    private readonly addresses: ClientAddressService,
    private readonly parameters: ParametersService,
  ) {}

  @ApiOperation({
    operationId: 'checkAddress',
    tag: 'Administration',
    summary:
      'Check an address against the IP allowlists; by default the client address of this call',
    parameters: [queryParameter('address', 'the address to check instead of the client address')],
    answer: ADDRESS_CHECK,
  })
  @Get()
  @RequirePermission('address-checks:read')
  @KnownParameters('address')
  async check(@Req() request: Request): Promise<AddressCheck> {
    const [asked] = queryOf(request).get('address') ?? [];
    if (asked !== undefined && !isAddress(asked))
      throw invalidField('address', reason('not-an-address'));
    const { address: seen, peer, forwarded } = this.addresses.of(request);
    const address = asked ?? seen;
    const { callerAddresses, sysadminAddresses } = await this.parameters.current();
    return {
      address: address ?? null,
      peer,
      forwarded,
      callers: judge(callerAddresses, address),
      sysadmin: judge(sysadminAddresses, address),
    };
  }
}
