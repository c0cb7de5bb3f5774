import { IsOptional } from 'class-validator';
import { parseCidrList } from '../base/config/parse-cidr-list.js';
import { filled, items, whole } from '../http/body-rules.js';
import { isPermission } from '../base/rights/permissions.js';
import { faultOfText, satisfies } from '../base/validation/class-validation.js';
import { validateTimestamp } from '../resources/attributes/timestamps.js';
import { type Reason, reason } from '../base/errors/reason.js';

/** Longest name and address list of an API key, in characters. */
const MAX_NAME = 100;
const MAX_ADDRESSES = 2_000;

/** Most permissions of an API key. */
const MAX_PERMISSIONS = 200;

/** `POST /directory/users/{id}/api-keys`; null is no limit. */
export class ApiKeyDto {
  @filled(MAX_NAME)
  name!: string;

  @IsOptional()
  @satisfies(validateExpiration, { type: 'string', format: 'date-time' })
  expiration: string | null = null;

  @IsOptional()
  @satisfies(validateAddresses, { type: 'string', maxLength: MAX_ADDRESSES })
  addresses: string | null = null;

  /** All that the key permits, within what its account may do. */
  @IsOptional()
  @items(MAX_PERMISSIONS, 'permissions', faultOfPermission, { type: 'string' })
  permissions: string[] | null = null;
}

/** Longest time in hours for which a replaced key stays valid, and the usual one. */
const MAX_OVERLAP = 168;
const OVERLAP = 24;

/** `POST …/api-keys/{keyId}/rotation` */
export class KeyRotationDto {
  /** Hours for which the old key stays valid. */
  @IsOptional()
  @whole(1, MAX_OVERLAP)
  overlap = OVERLAP;
}

function faultOfPermission(text: unknown): Reason | undefined {
  return typeof text === 'string' && isPermission(text)
    ? undefined
    : reason('unknown-permission', { permission: String(text) });
}

function validateExpiration(value: unknown): Reason | undefined {
  const fault = validateTimestamp(value);
  if (fault !== undefined) return fault;
  return Date.parse(String(value)) > Date.now() ? undefined : reason('not-in-the-future');
}

function validateAddresses(value: unknown): Reason | undefined {
  const fault = faultOfText(value, MAX_ADDRESSES);
  if (fault !== undefined) return fault;
  const { entries, unreadable } = parseCidrList(value as string);
  if (unreadable.length > 0) return reason('bad-addresses', { unreadable });
  return entries.length > 0 ? undefined : reason('no-address');
}
