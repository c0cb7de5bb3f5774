import {
  enumeration,
  computed,
  number,
  text,
  timestamp,
} from '../resources/attributes/attributes.js';
import { resource } from '../resources/resource.js';
import type { CodeLabels } from '../resources/attributes/enum-attribute.js';
import type { AuditAction } from '../security/audit.service.js';

/** The actions in the audit trail. */
const ACTIONS: Record<AuditAction, CodeLabels> = {
  create: { en: 'created', fr: 'créé' },
  update: { en: 'changed', fr: 'modifié' },
  delete: { en: 'deleted', fr: 'supprimé' },
  'sign-in': { en: 'signed in', fr: 'connexion' },
  'sign-out': { en: 'signed out', fr: 'déconnexion' },
  refuse: { en: 'refused', fr: 'refusé' },
  'change-password': { en: 'password changed', fr: 'mot de passe modifié' },
  'confirm-password': { en: 'password confirmed', fr: 'mot de passe confirmé' },
  'bind-identity': { en: 'identity bound', fr: 'identité liée' },
  'unbind-identity': { en: 'identity unbound', fr: 'identité déliée' },
  'end-sessions': { en: 'sessions ended', fr: 'sessions terminées' },
  invite: { en: 'invited', fr: 'invité' },
  'use-invitation': { en: 'invitation used', fr: 'invitation utilisée' },
  'revoke-invitation': { en: 'invitation revoked', fr: 'invitation révoquée' },
  'request-password-reset': {
    en: 'new password requested',
    fr: 'nouveau mot de passe demandé',
  },
  'use-password-reset': { en: 'forgotten password replaced', fr: 'mot de passe oublié remplacé' },
  'send-mail': { en: 'mail sent', fr: 'message envoyé' },
  'fail-mail': { en: 'mail not sent', fr: 'message non envoyé' },
  unlock: { en: 'unlocked', fr: 'déverrouillé' },
  'create-api-key': { en: 'API key created', fr: 'clé d’API créée' },
  'delete-api-key': { en: 'API key deleted', fr: 'clé d’API supprimée' },
  'set-photo': { en: 'photo set', fr: 'photo définie' },
  'delete-photo': { en: 'photo deleted', fr: 'photo supprimée' },
  'add-member': { en: 'member added', fr: 'membre ajouté' },
  'remove-member': { en: 'member removed', fr: 'membre retiré' },
  'set-favourites': { en: 'favourites set', fr: 'favoris définis' },
  import: { en: 'imported', fr: 'importé' },
  export: { en: 'exported', fr: 'exporté' },
  seed: { en: 'seeded', fr: 'initialisé' },
  restore: { en: 'restored from a backup', fr: 'restauré depuis une sauvegarde' },
  'set-parameter': { en: 'server parameter set', fr: 'paramètre du serveur défini' },
};

/** Maximum size of a state: the texts of the largest writable object have 22,600 characters. */
const STATE_BYTES = 70_000;

const readOnly = { readOnly: true };
const state = (column: string) =>
  computed({
    sql: (alias) => `${alias}.${column}`,
    make: (value) => value,
    schema: { type: ['object', 'null'] },
    maxBytes: STATE_BYTES,
  });

/** The audit trail, a read-only list. */
export const audit = resource({
  name: 'audit',
  schemaName: 'AuditEntry',
  uri: '/administration/audit',
  withoutUri: true,
  labelColumn: 'action',
  attributes: {
    date: timestamp(readOnly),
    action: enumeration(ACTIONS, readOnly),
    reason: text(readOnly),
    actorUri: text(readOnly),
    actorLogin: text(readOnly),
    objectUri: text(readOnly),
    address: text(readOnly),
    requestId: text(readOnly),
    callerRequestId: text(readOnly),
    count: number(readOnly),
    before: state('before'),
    after: state('after'),
  },
});
