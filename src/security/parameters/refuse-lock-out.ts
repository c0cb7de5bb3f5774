import type { Environment } from '../../base/config/config.js';
import { parseCidrList } from '../../base/config/parse-cidr-list.js';
import { conflict } from '../../base/errors/api-errors.js';
import type { AuditContext } from '../audit.service.js';
import { CidrSet } from '../cidr-set.js';
import {
  CALLER_ADDRESSES,
  type ParameterDefinition,
  PARAMETERS,
  SYSADMIN_ADDRESSES,
} from './parameter-definitions.js';
import { reason } from '../../base/errors/reason.js';

/** The parameters that hold an allowlist. */
const ALLOWLISTS = [CALLER_ADDRESSES, SYSADMIN_ADDRESSES];

/**
 * Rejects an allowlist without the caller's address, because the caller could not undo the change over HTTP, and the
 * end of passwords without an identity provider, because then only sysadmin could sign in. It rejects second steps
 * without a key for their secrets, because nobody could add one. The command line, which has no address, may do all.
 * @throws ApiError 409
 */
export function refuseLockOut(
  { key }: ParameterDefinition,
  value: string,
  { address }: AuditContext,
  { OIDC_ISSUER, SECRETS_KEY }: Pick<Environment, 'OIDC_ISSUER' | 'SECRETS_KEY'>,
): void {
  const endsPasswords = key === PARAMETERS.passwordSignIn.key && value === 'false';
  if (endsPasswords && address !== undefined && OIDC_ISSUER === undefined)
    throw conflict(reason('no-identity-provider'));
  const asksForSecondStep = key === PARAMETERS.secondStepOf.key && value.trim() !== '';
  if (asksForSecondStep && address !== undefined && SECRETS_KEY.length === 0)
    throw conflict(reason('no-secrets-key'));
  if (!ALLOWLISTS.includes(key) || address === undefined) return;
  if (!new CidrSet(parseCidrList(value).entries).has(address))
    throw conflict(reason('locks-you-out', { address }));
}
