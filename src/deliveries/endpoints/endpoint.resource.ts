import {
  atLeast,
  listOf,
  orNull,
  textOrNull,
  timestamp as moment,
} from '../../resources/openapi/schemas.js';
import {
  boolean,
  computed,
  count,
  dates,
  enumeration,
  link,
  links,
  reference,
  text,
  timestamp,
} from '../../resources/attributes/attributes.js';
import { textList } from '../../resources/attributes/text-list-attribute.js';
import { reachOfApplications } from '../../process/tasks/source.resource.js';
import { resource } from '../../resources/resource.js';
import { faultOfDigits } from '../../resources/write/given-reference.js';
import { faultOfUrl } from '../engines/destinations.js';
import { waitingSince } from '../events/due-deliveries.js';
import { Endpoint } from './endpoint.entity.js';
import { endpointState, STATES, validSecrets } from '../settings/endpoint-state.js';
import type { Adapter } from '../engines/endpoint-choices.js';
import { presentAttempt, type StoredAttempt } from '../events/attempts.js';
import { LAST_ERROR } from './endpoint.schemas.js';
import { EVENT_KINDS, EVENT_LABELS } from '../events/event-kinds.js';

const MODES = {
  push: { en: 'push', fr: 'envoi', de: 'Zustellung' },
  pull: { en: 'pull', fr: 'retrait', de: 'Abholung' },
};
const CONTENTS = {
  full: { en: 'full', fr: 'complet', de: 'vollständig' },
  thin: { en: 'thin', fr: 'réduit', de: 'knapp' },
};
const SIGNATURES = {
  hmac: { en: 'HMAC-SHA256', fr: 'HMAC-SHA256', de: 'HMAC-SHA256' },
  ed25519: { en: 'Ed25519', fr: 'Ed25519', de: 'Ed25519' },
};
const ADAPTER_LABELS = {
  camunda7: { en: 'Camunda 7', fr: 'Camunda 7', de: 'Camunda 7' },
  camunda8: { en: 'Camunda 8', fr: 'Camunda 8', de: 'Camunda 8' },
  flowable: { en: 'Flowable', fr: 'Flowable', de: 'Flowable' },
  bonita: { en: 'Bonita', fr: 'Bonita', de: 'Bonita' },
} satisfies Record<Adapter, unknown>;
const STATUS = {
  active: { en: 'active', fr: 'actif', de: 'aktiv' },
  paused: { en: 'paused', fr: 'en pause', de: 'angehalten' },
};

/** Most variables that an adapter sends. */
const MAX_VARIABLES = 20;

/** SQL of the deliveries that an endpoint has not taken yet. */
const pending = (alias: string): string =>
  `deliveries d WHERE d.endpoint_id = ${alias}.id AND d.status IN ('waiting', 'leased')`;

const healthDate = (column: string) =>
  timestamp({
    readOnly: true,
    detailedOnly: true,
    sql: (alias) => `(SELECT h.${column} FROM endpoint_health h WHERE h.endpoint_id = ${alias}.id)`,
  });

/** Endpoints. Only administrators see and write them (docs/api-contract.md#endpoints). */
export const endpoints = resource({
  name: 'endpoints',
  uri: '/process/endpoints',
  reach: { application: reachOfApplications('endpoint_applications', 'endpoint_id') },
  entity: Endpoint,
  labelColumn: 'label',
  attributes: {
    reference: reference({ fault: faultOfDigits }),
    label: text({ required: true, max: 200 }),
    mode: enumeration(MODES, { required: true }),
    url: text({ max: 2000, fault: faultOfUrl }),
    content: enumeration(CONTENTS, { default: 'full' }),
    signature: enumeration(SIGNATURES, { default: 'hmac' }),
    kinds: textList({
      max: EVENT_KINDS.length,
      noun: 'kinds of events',
      values: EVENT_KINDS,
      display: (kind, { locale }) => EVENT_LABELS[kind as keyof typeof EVENT_LABELS][locale],
    }),
    applications: links({
      targets: ['applications'],
      table: 'endpoint_applications',
      ownerColumn: 'endpoint_id',
      targetColumns: { applications: 'application_id' },
      idColumn: 'application_id',
    }),
    source: link('sources'),
    confirms: boolean({ default: false }),
    adapter: enumeration(ADAPTER_LABELS),
    variables: textList({ max: MAX_VARIABLES, noun: 'variables' }),
    account: link('users'),
    status: enumeration(STATUS, { default: 'active' }),
    state: enumeration(STATES, { unsorted: true, neverEmpty: true, sql: endpointState }),
    ...dates(),
    secrets: computed({
      sql: (alias) =>
        `(SELECT json_agg(json_build_array(s.creation_date, s.expiration, s.public_key) ORDER BY s.id DESC)
          FROM ${validSecrets(alias)})`,
      make: (value) => ((value ?? []) as StoredSecret[]).map(presentSecret),
      schema: listOf(
        atLeast({ creationDate: moment, expiration: orNull(moment), publicKey: textOrNull }),
      ),
      detailedOnly: true,
    }),
    waitingCount: count((alias) => `(SELECT count(*) FROM ${pending(alias)})`),
    failedCount: count(
      (alias) =>
        `(SELECT count(*) FROM deliveries d WHERE d.endpoint_id = ${alias}.id AND d.status = 'failed')`,
    ),
    oldestWaitingDate: timestamp({
      readOnly: true,
      detailedOnly: true,
      sql: (alias) => `(SELECT min(${waitingSince('d')}) FROM ${pending(alias)})`,
    }),
    lastSuccessDate: healthDate('last_success'),
    lastFailureDate: healthDate('last_failure'),
    blockedUntil: healthDate('blocked_until'),
    lastError: computed({
      sql: (alias) =>
        `(SELECT h.last_error FROM endpoint_health h WHERE h.endpoint_id = ${alias}.id)`,
      make: (value) => value && presentAttempt(value as StoredAttempt),
      schema: LAST_ERROR,
      detailedOnly: true,
    }),
  },
  visible: () => 'false',
});

/** A secret without its value: when it was made, when it ends, and the public key of an Ed25519 one. */
type StoredSecret = [creationDate: string, expiration: string | null, publicKey: string | null];

const presentSecret = ([creationDate, expiration, publicKey]: StoredSecret) => ({
  creationDate: new Date(creationDate).toISOString(),
  expiration: expiration === null ? null : new Date(expiration).toISOString(),
  publicKey,
});
