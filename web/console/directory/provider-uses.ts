import type { Uses } from '../deliveries/endpoint-uses.js';

const KINDS: Record<string, string> = { ldap: 'ldap', serviceAccount: 'scim' };

/** The attributes that only one kind of provider uses; one that has a value stays, so that a person can clear it. */
export const PROVIDER_USES: Uses = {
  deciding: ['kind', 'ldap', 'serviceAccount'],
  isUsed: (name, values) =>
    (KINDS[name] ?? values.kind) === values.kind || (values[name] ?? '') !== '',
};
