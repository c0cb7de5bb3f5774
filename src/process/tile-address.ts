/**
 * A stored path is relative to the base URL; an absolute URL stays as it is
 * (docs/api-contract.md#application-entry).
 */
export function addressFrom(stored: unknown, basePath: string): string {
  const address = typeof stored === 'string' ? stored : '';
  return address.startsWith('/') ? basePath + address : address;
}
