import type { Config } from '../base/config/config.js';

/** The identity provider as the actor in the audit trail: by its name, else by its issuer. */
export const providerActor = ({ env }: Config): string =>
  `identity provider (${env.OIDC_NAME ?? env.OIDC_ISSUER})`;
