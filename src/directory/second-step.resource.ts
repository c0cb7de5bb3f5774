import { enumeration, text, timestamp } from '../resources/attributes/attributes.js';
import { resource } from '../resources/resource.js';

const always = { readOnly: true, neverEmpty: true };

const KINDS = {
  passkey: { en: 'passkey', fr: 'clé d’accès', de: 'Passkey' },
  'authenticator-app': {
    en: 'authenticator app',
    fr: 'application d’authentification',
    de: 'Authentifizierungs-App',
  },
};

/** The second steps with which a user completes a sign-in by password, without their secrets. */
export const secondSteps = resource({
  name: 'second-steps',
  schemaName: 'SecondStep',
  table: 'second_steps',
  uri: '/directory/second-steps',
  withoutUri: true,
  labelColumn: 'kind',
  attributes: {
    kind: enumeration(KINDS, always),
    name: text({ readOnly: true }),
    creationDate: timestamp(always),
    lastUseDate: timestamp({ readOnly: true }),
  },
});
