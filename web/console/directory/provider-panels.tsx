import type { Item } from '../api/data-provider.js';
import { useRights } from '../session/app-context.js';
import { DirectoryTests } from './directory-tests.js';
import { ProviderRequests } from './provider-requests.js';
import { ProviderRuns } from './provider-runs.js';

/** What a provider does: tests and runs of an LDAP directory, or the last calls of a SCIM client. */
export function ProviderPanels({ provider }: { provider: Item }) {
  const mayChange = useRights().permits('providers:change');
  if (provider.kind === 'scim') return <ProviderRequests provider={provider} />;
  return (
    <>
      {mayChange && <DirectoryTests provider={provider} />}
      <ProviderRuns provider={provider} mayChange={mayChange} />
    </>
  );
}
