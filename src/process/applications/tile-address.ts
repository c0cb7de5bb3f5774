/**
 * A stored path is relative to the base URL; an absolute URL stays as it is
 * (docs/api-contract.md#application-entry).
 */
export function addressFrom(stored: unknown, basePath: string): string {
  const address = typeof stored === 'string' ? stored : '';
  return address.startsWith('/') ? basePath + address : address;
}

/** SQL of the address that a tile opens: that of its application, or else the list of its tasks. */
export const tileAddress = (alias: string): string =>
  `coalesce(${alias}.link, CASE WHEN ${alias}.type = 'PROCESS' THEN '/workplace/applications/' || ${alias}.id END)`;
