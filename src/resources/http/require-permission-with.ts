import { applyDecorators } from '@nestjs/common';
import { missingPermission } from '../../base/errors/api-errors.js';
import { ANY, type Permission } from '../../base/rights/permissions.js';
import { Access, asking } from '../../security/access.guard.js';
import type { Caller } from '../../security/caller.js';
import { RequirePermission } from '../../security/permission.guard.js';
import type { Resource } from '../resource.js';
import type { ResourceReader } from '../resource-reader.js';

/**
 * Passes for callers who have a permission for one object, by a role everywhere or one whose scope holds the object.
 * @throws ApiError 403
 */
export async function requirePermissionWith(
  reader: ResourceReader,
  caller: Caller,
  { resource, id, permission }: { resource: Resource; id: string; permission: Permission },
): Promise<void> {
  const granted = await reader.granted(resource, caller, { permission, id });
  if (!granted.has(ANY)) throw missingPermission(permission);
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
