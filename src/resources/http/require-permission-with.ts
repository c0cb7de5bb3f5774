import { applyDecorators } from '@nestjs/common';
import { missingPermission } from '../../base/errors/api-errors.js';
import { ANY, type Permission } from '../../base/rights/permissions.js';
import type { Transaction } from '../../database/database.js';
import { Access, asking } from '../../security/access.guard.js';
import type { Caller } from '../../security/caller.js';
import { RequirePermission } from '../../security/permission.guard.js';
import type { Resource } from '../resource.js';
import type { ResourceReader } from '../resource-reader.js';

/** A permission, and the object for which it is asked. */
interface Wanted {
  resource: Resource;
  id: string;
  permission: Permission;
}

/** Whether a caller has a permission for one object, by a role everywhere or one whose scope holds the object. */
export async function hasPermissionWith(
  reader: ResourceReader,
  caller: Caller,
  { resource, ...wanted }: Wanted,
  transaction?: Transaction,
): Promise<boolean> {
  return (await reader.granted(resource, caller, wanted, transaction)).has(ANY);
}

/** @throws ApiError 403 for callers without it */
export async function requirePermissionWith(
  reader: ResourceReader,
  caller: Caller,
  wanted: Wanted,
  transaction?: Transaction,
): Promise<void> {
  if (!(await hasPermissionWith(reader, caller, wanted, transaction)))
    throw missingPermission(wanted.permission);
}

/** Opens a route below an object only to callers who see the object and have this permission for it. */
export const RequirePermissionWith = (resource: Resource, permission: Permission) =>
  applyDecorators(
    RequirePermission(permission, 'somewhere'),
    Access<{ reader: ResourceReader }>(
      asking(permission, async ({ reader }, caller, { id = '' }) => {
        await reader.get(resource, caller, id);
        await requirePermissionWith(reader, caller, { resource, id, permission });
      }),
    ),
  );
