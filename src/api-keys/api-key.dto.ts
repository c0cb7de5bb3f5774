import { IsOptional } from 'class-validator';
import { parseCidrList } from '../config/parse-cidr-list.js';
import { filled } from '../credentials/password-rules.js';
import { faultOfText, satisfies } from '../http/class-validation.js';
import { validateTimestamp } from '../resources/attributes/timestamps.js';

/** Longest name and address list of an API key, in characters. */
const MAX_NAME = 100;
const MAX_ADDRESSES = 2_000;

/** `POST /directory/users/{id}/api-keys`; null is no limit. */
export class ApiKeyDto {
  @filled(MAX_NAME)
  name!: string;

  @IsOptional()
  @satisfies(validateExpiration)
  expiration: string | null = null;

  @IsOptional()
  @satisfies(validateAddresses)
  addresses: string | null = null;
}

function validateExpiration(value: unknown): string | undefined {
  const fault = validateTimestamp(value);
  if (fault !== undefined) return fault;
  return Date.parse(String(value)) > Date.now() ? undefined : 'must be in the future';
}

function validateAddresses(value: unknown): string | undefined {
  const fault = faultOfText(value, MAX_ADDRESSES);
  if (fault !== undefined) return fault;
  const { entries, unreadable } = parseCidrList(value as string);
  if (unreadable.length > 0)
    return `must be IPv4 or IPv6 addresses or CIDR networks; unreadable: ${unreadable.join(', ')}`;
  return entries.length > 0 ? undefined : 'must hold at least one address; null means no limit';
}
