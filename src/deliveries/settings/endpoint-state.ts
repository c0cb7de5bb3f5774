import type { CodeLabels } from '../../resources/attributes/enum-attribute.js';

/** The kind under which the credentials of an adapter are stored among the secrets of endpoints. */
export const CREDENTIALS = 'credentials';

/** The states of an endpoint: whether it gets events, and why not. */
export const STATES: Record<string, CodeLabels> = {
  active: { en: 'active', fr: 'actif', de: 'aktiv' },
  paused: { en: 'paused', fr: 'en pause', de: 'angehalten' },
  'no-secret': { en: 'no secret', fr: 'sans secret', de: 'ohne Geheimnis' },
  failing: { en: 'failing', fr: 'en échec', de: 'gestört' },
  unavailable: { en: 'not available', fr: 'indisponible', de: 'nicht erreichbar' },
};

/** SQL of the secrets of an endpoint that are valid: credentials where it has an adapter. */
export const validSecrets = (alias: string): string =>
  `endpoint_secrets s WHERE s.endpoint_id = ${alias}.id AND (s.signature = '${CREDENTIALS}') = (${alias}.adapter IS NOT NULL)
    AND (s.expiration IS NULL OR s.expiration > now())`;

/**
 * SQL of whether a push endpoint lacks the secret or credentials that it needs, so that the server sends nothing.
 * Engines other than Bonita may accept calls without credentials, unless the endpoint had some that a change of its
 * address removed.
 */
export const lacksSecret = (alias: string): string =>
  `(${alias}.mode = 'push' AND NOT EXISTS (SELECT FROM ${validSecrets(alias)})
    AND (${alias}.adapter IS NULL OR ${alias}.adapter = 'bonita'
      OR EXISTS (SELECT FROM endpoint_secrets s WHERE s.endpoint_id = ${alias}.id AND s.signature = '${CREDENTIALS}')))`;

/** SQL of the state of an endpoint, one of `STATES`. */
export const endpointState = (alias: string): string =>
  `CASE WHEN ${alias}.status = 'paused' THEN 'paused' WHEN ${lacksSecret(alias)} THEN 'no-secret'
    WHEN EXISTS (SELECT FROM endpoint_health h WHERE h.endpoint_id = ${alias}.id AND h.blocked_until > now()) THEN 'unavailable'
    WHEN EXISTS (SELECT FROM endpoint_health h WHERE h.endpoint_id = ${alias}.id AND h.last_error IS NOT NULL) THEN 'failing'
    ELSE 'active' END`;
