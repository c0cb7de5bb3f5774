import { Controller, Inject } from '@nestjs/common';
import { Config } from '../base/config/config.js';
import { SecretBox } from '../base/encryption/secret-box.js';
import { conflict, type InvalidField } from '../base/errors/api-errors.js';
import { reason } from '../base/errors/reason.js';
import { Notifications } from '../database/notifications.js';
import { linkIdIn } from '../resources/attributes/link-input.js';
import { resourceController } from '../resources/http/resource.controller.js';
import { type PendingWrite, validValues } from '../resources/write/pending-write.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import { userUri } from '../security/user-uri.js';
import { ANY } from '../base/rights/permissions.js';
import { requireGrantable } from './hand-out.js';
import { groups } from './group.resource.js';
import { release } from './managed-rows.js';
import { keepSecret } from './provider-secrets.js';
import { providers } from './provider.resource.js';
import { users } from './user.resource.js';

/** The directories that keep users and groups here (docs/api-contract.md#providers). */
@Controller('api/v2/directory/providers')
export class ProvidersController extends resourceController(providers) {
  @Inject(Notifications) notifications!: Notifications;
  @Inject(Config) config!: Config;
  override hooks: WriteHooks = {
    prepare: (_, { bindPassword }) =>
      Promise.resolve(
        typeof bindPassword === 'string' && bindPassword !== '' ? bindPassword : undefined,
      ),
    beforeWrite: faultsOfProvider,
    // A provider writes users and groups, also after the session that appointed it has ended.
    asksForProof: ({ before }, changed) =>
      before === undefined ||
      // Another server would be sent the stored password.
      ['serviceAccount', 'ldap', 'bindPassword'].some((name) => changed.includes(name)),
    afterWrite: ({ prepared, transaction }, id) =>
      keepSecret(transaction, new SecretBox(this.config.env.SECRETS_KEY), id, prepared as string),
    checkDelete: async (_, { id }, transaction) => {
      for (const resource of [users, groups])
        await release(transaction, resource, { provider: String(id) });
    },
    afterCommit: () => this.notifications.waitUntilDelivered(),
    constraints: {
      providers_service_account_key: () =>
        conflict(reason('taken', { attribute: 'serviceAccount' })),
    },
  };
}

/**
 * A provider that calls the server has a service account, and no provider has a person for one.
 * @throws ApiError 403 for an LDAP provider from somebody who may not everything: its directory says who is who, also of
 * administrators, and who signs in as they
 */
async function faultsOfProvider(write: PendingWrite): Promise<InvalidField[]> {
  const { kind, serviceAccount, ldap } = validValues(write);
  if (kind === 'ldap' || write.before?.kind === 'ldap')
    requireGrantable(write.change.caller, { permissions: [ANY] });
  if (ldap && kind !== 'ldap')
    return [{ name: 'kind', reason: reason('not-one-of', { choices: ['ldap'] }) }];
  const name = 'serviceAccount';
  const id = linkIdIn(serviceAccount, [users.ref.uri]);
  if (id === undefined)
    return kind === 'scim' && !serviceAccount ? [{ name, reason: reason('required') }] : [];
  const [row] = await write.transaction.rows({
    text: 'SELECT service FROM users WHERE id = $1',
    values: [id],
  });
  return row?.[0] === false
    ? [{ name, reason: reason('not-a-service-account', { uri: userUri(id) }) }]
    : [];
}
