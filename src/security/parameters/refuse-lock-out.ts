import { parseCidrList } from '../../config/parse-cidr-list.js';
import { conflict } from '../../errors/api-errors.js';
import type { AuditContext } from '../audit.service.js';
import { CidrSet } from '../cidr-set.js';
import {
  CALLER_ADDRESSES,
  type ParameterDefinition,
  SYSADMIN_ADDRESSES,
} from './parameter-definitions.js';

/** The parameters that hold an allowlist. */
const ALLOWLISTS = [CALLER_ADDRESSES, SYSADMIN_ADDRESSES];

/**
 * Rejects an allowlist without the caller's address: the caller could not undo the change over HTTP.
 * @throws ApiError 409
 */
export function refuseLockOut(
  { key }: ParameterDefinition,
  value: string,
  { address }: AuditContext,
): void {
  if (!ALLOWLISTS.includes(key) || address === undefined) return;
  if (!new CidrSet(parseCidrList(value).entries).has(address))
    throw conflict(
      `The list does not allow your own address ${address}, which would lock you out; send ?force=true to set it anyway`,
    );
}
