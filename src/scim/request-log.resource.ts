import { boolean, longText, number, text, timestamp } from '../resources/attributes/attributes.js';
import { resource } from '../resources/resource.js';

const always = { readOnly: true, neverEmpty: true };

/** The last calls of a provider, with what was asked and answered. */
export const providerRequests = resource({
  name: 'provider-requests',
  schemaName: 'ProviderRequest',
  uri: '/directory/provider-requests',
  table: 'provider_requests',
  withoutUri: true,
  labelColumn: 'path',
  attributes: {
    date: timestamp(always),
    method: text(always),
    path: text({ ...always, max: 8_000 }),
    status: number(always),
    /** Whether the call was a dry run. */
    dryRun: boolean(always),
    body: longText({ readOnly: true }),
    answer: longText({ readOnly: true }),
  },
});
