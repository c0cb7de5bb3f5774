import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../base/config/config.js';
import { Database, type Reader } from '../../database/database.js';
import { Notifications } from '../../database/notifications.js';
import { invalidField, notFound } from '../../base/errors/api-errors.js';
import { type AuditContext, recordAudit } from '../audit.service.js';
import {
  type ParameterDefinition,
  type ParameterValue,
  validateParameter,
  PARAMETERS,
  TIME_ZONE_FAULT,
  timeZoneOf,
  typedValue,
} from './parameter-definitions.js';
import { refuseLockOut } from './refuse-lock-out.js';
import type { Reason } from '../../base/errors/reason.js';

/** Sets server parameters. */
@Injectable()
export class ParameterWriterService {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly notifications: Notifications,
  ) {}

  /** The key with its vendor segment, e.g. `com.acme.security.Lock.failures`. */
  fullKey(definition: ParameterDefinition): string {
    return fullKeyOf(definition, this.config.env.VENDOR);
  }

  /**
   * The parameter of a full key.
   * @throws ApiError 404
   */
  definitionOf(fullKey: string): ParameterDefinition {
    const all: ParameterDefinition[] = Object.values(PARAMETERS);
    const found = all.find((definition) => this.fullKey(definition) === fullKey);
    if (!found) throw notFound();
    return found;
  }

  /**
   * Sets a parameter on every instance and audits it, in one transaction.
   * @param value as text, e.g. `3600`
   * @throws ApiError 400 naming `value`; 409 when it would lock out the caller or all users, unless forced
   */
  async set(
    definition: ParameterDefinition,
    value: string,
    auditContext: AuditContext,
    { force = false } = {},
  ): Promise<void> {
    const fault = await faultOfParameter(this.database, definition, value);
    if (fault !== undefined) throw invalidField('value', fault);
    if (!force) refuseLockOut(definition, value, auditContext, this.config.env);
    await this.database.transaction((transaction) =>
      setParameter(transaction, definition, value, this.config.env.VENDOR, auditContext),
    );
    await this.notifications.waitUntilDelivered();
  }
}

/** The fault of a new value, or undefined when it is valid for the parameter. */
export async function faultOfParameter(
  reader: Reader,
  definition: ParameterDefinition,
  value: string,
): Promise<Reason | undefined> {
  const fault = await validateParameter(definition, value);
  if (fault !== undefined || definition.type !== 'timeZone') return fault;
  // The release of PostgreSQL may know fewer places than that of Node.
  const known = await reader.rows({
    text: 'SELECT 1 FROM pg_timezone_names WHERE lower(name) = lower($1)',
    values: [timeZoneOf(value)],
  });
  return known.length === 0 ? TIME_ZONE_FAULT : undefined;
}

const fullKeyOf = ({ key }: ParameterDefinition, vendor: string): string => `com.${vendor}.${key}`;

/**
 * Stores a checked value and audits it, in a transaction of the caller.
 * @param vendor the vendor segment of keys
 */
export async function setParameter(
  transaction: Reader,
  definition: ParameterDefinition,
  value: string,
  vendor: string,
  auditContext: AuditContext,
): Promise<void> {
  await transaction.execute({
    text: 'INSERT INTO parameters (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    values: [definition.key, definition.defaultValue],
  });
  const [row] = await transaction.query<{ value: string }>({
    text: 'SELECT value FROM parameters WHERE key = $1 FOR UPDATE',
    values: [definition.key],
  });
  const before = row!.value;
  if (before === value) return;
  await transaction.execute({
    text: 'UPDATE parameters SET value = $2, modification_date = now() WHERE key = $1',
    values: [definition.key, value],
  });
  await recordAudit(transaction, auditContext, {
    action: 'set-parameter',
    objectUri: `/administration/parameters/${fullKeyOf(definition, vendor)}`,
    before: { value: auditedValue(definition, before) },
    after: { value: auditedValue(definition, value) },
  });
}

/** A value for the audit trail: of a picture, only its digest. */
function auditedValue({ type }: ParameterDefinition, value: string): ParameterValue {
  if (type !== 'picture' || value === '') return typedValue(type, value);
  return `picture, SHA-256 ${createHash('sha256').update(value).digest('hex')}`;
}
