import {
  byBeginning,
  enumeration,
  computed,
  number,
  recordedLink,
  text,
  timestamp,
} from '../resources/attributes/attributes.js';
import { AS_EMAIL, AS_IS } from '../resources/name-rule.js';
import { resource } from '../resources/resource.js';
import type { CodeLabels } from '../resources/attributes/enum-attribute.js';
import { displayTimestamp, validateTimestamp } from '../resources/attributes/timestamps.js';
import type { AuditAction } from '../security/audit.service.js';

/** The actions in the audit trail. */
const ACTIONS: Record<AuditAction, CodeLabels> = {
  create: { en: 'created', fr: 'créé', de: 'erstellt' },
  update: { en: 'changed', fr: 'modifié', de: 'geändert' },
  delete: { en: 'deleted', fr: 'supprimé', de: 'gelöscht' },
  erase: { en: 'erased', fr: 'effacé', de: 'gelöscht nach Datenschutz' },
  'sign-in': { en: 'signed in', fr: 'connexion', de: 'angemeldet' },
  'sign-out': { en: 'signed out', fr: 'déconnexion', de: 'abgemeldet' },
  'act-for': {
    en: 'token for a person',
    fr: 'jeton pour une personne',
    de: 'Token für eine Person',
  },
  refuse: { en: 'refused', fr: 'refusé', de: 'abgelehnt' },
  'change-password': {
    en: 'password changed',
    fr: 'mot de passe modifié',
    de: 'Passwort geändert',
  },
  'confirm-password': {
    en: 'password confirmed',
    fr: 'mot de passe confirmé',
    de: 'Passwort bestätigt',
  },
  'confirm-passkey': {
    en: 'passkey confirmed',
    fr: 'clé d’accès confirmée',
    de: 'Passkey bestätigt',
  },
  'add-second-step': {
    en: 'second step added',
    fr: 'seconde étape ajoutée',
    de: 'zweiter Schritt hinzugefügt',
  },
  'remove-second-step': {
    en: 'second step removed',
    fr: 'seconde étape retirée',
    de: 'zweiter Schritt entfernt',
  },
  'request-second-step-reset': {
    en: 'reset of a second step requested',
    fr: 'réinitialisation d’une seconde étape demandée',
    de: 'Rücksetzung eines zweiten Schritts angefordert',
  },
  'withdraw-second-step-reset': {
    en: 'reset of a second step withdrawn',
    fr: 'réinitialisation d’une seconde étape retirée',
    de: 'Rücksetzung eines zweiten Schritts zurückgezogen',
  },
  'renew-recovery-codes': {
    en: 'recovery codes renewed',
    fr: 'codes de secours renouvelés',
    de: 'Ersatzcodes erneuert',
  },
  'bind-identity': { en: 'identity bound', fr: 'identité liée', de: 'Identität verknüpft' },
  'unbind-identity': {
    en: 'identity unbound',
    fr: 'identité déliée',
    de: 'Verknüpfung der Identität gelöst',
  },
  'end-sessions': { en: 'sessions ended', fr: 'sessions terminées', de: 'Sitzungen beendet' },
  invite: { en: 'invited', fr: 'invité', de: 'eingeladen' },
  'use-invitation': { en: 'invitation used', fr: 'invitation utilisée', de: 'Einladung verwendet' },
  'revoke-invitation': {
    en: 'invitation revoked',
    fr: 'invitation révoquée',
    de: 'Einladung widerrufen',
  },
  'request-password-reset': {
    en: 'new password requested',
    fr: 'nouveau mot de passe demandé',
    de: 'neues Passwort angefordert',
  },
  'use-password-reset': {
    en: 'forgotten password replaced',
    fr: 'mot de passe oublié remplacé',
    de: 'vergessenes Passwort ersetzt',
  },
  'send-mail': { en: 'e-mail sent', fr: 'message envoyé', de: 'E-Mail gesendet' },
  'fail-mail': { en: 'e-mail not sent', fr: 'message non envoyé', de: 'E-Mail nicht gesendet' },
  'fail-delivery': {
    en: 'deliveries given up',
    fr: 'livraisons abandonnées',
    de: 'Zustellungen aufgegeben',
  },
  'block-endpoint': {
    en: 'receiver unavailable',
    fr: 'destinataire indisponible',
    de: 'Empfänger nicht erreichbar',
  },
  unlock: { en: 'unlocked', fr: 'déverrouillé', de: 'entsperrt' },
  'create-api-key': { en: 'API key created', fr: 'clé d’API créée', de: 'API-Schlüssel erstellt' },
  'delete-api-key': {
    en: 'API key deleted',
    fr: 'clé d’API supprimée',
    de: 'API-Schlüssel gelöscht',
  },
  'set-photo': { en: 'photo set', fr: 'photo définie', de: 'Foto gesetzt' },
  'delete-photo': { en: 'photo deleted', fr: 'photo supprimée', de: 'Foto gelöscht' },
  'add-member': { en: 'member added', fr: 'membre ajouté', de: 'Mitglied hinzugefügt' },
  'remove-member': { en: 'member removed', fr: 'membre retiré', de: 'Mitglied entfernt' },
  'set-mails': { en: 'e-mails set', fr: 'messages réglés', de: 'E-Mails eingestellt' },
  'set-favourites': { en: 'favourites set', fr: 'favoris définis', de: 'Favoriten gesetzt' },
  import: { en: 'imported', fr: 'importé', de: 'importiert' },
  export: { en: 'exported', fr: 'exporté', de: 'exportiert' },
  seed: { en: 'seeded', fr: 'initialisé', de: 'initialisiert' },
  backup: { en: 'backed up', fr: 'sauvegardé', de: 'gesichert' },
  restore: {
    en: 'restored from a backup',
    fr: 'restauré depuis une sauvegarde',
    de: 'aus einer Sicherung wiederhergestellt',
  },
  'set-parameter': {
    en: 'server parameter set',
    fr: 'paramètre du serveur défini',
    de: 'Serverparameter gesetzt',
  },
};

/** Maximum size of a state: the texts of the largest writable object have 22,600 characters. */
const STATE_BYTES = 70_000;

/** The resources whose objects a line can name. */
const NAMED = [
  ...['users', 'service-accounts', 'groups', 'organizations', 'roles', 'role-assignments'],
  'providers',
  ...['applications', 'categories', 'views'],
  ...['tasks', 'task-filters', 'absences', 'sources', 'endpoints'],
  ...['news', 'faqs', 'documents', 'customers'],
];

const readOnly = { readOnly: true };
const identifier = { ...readOnly, identity: AS_IS };
const always = { readOnly: true, neverEmpty: true };
const state = (column: string) =>
  computed({
    sql: (alias) => `${alias}.${column}`,
    make: (value) => value,
    display: (value, { locale, timeZone }) => {
      const show = (part: unknown) =>
        validateTimestamp(part) === undefined ? displayTimestamp(part, locale, timeZone) : part;
      return (
        value && Object.fromEntries(Object.entries(value).map(([name, part]) => [name, show(part)]))
      );
    },
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
    creationDate: timestamp({ ...always, sql: (alias) => `${alias}.date` }),
    action: enumeration(ACTIONS, always),
    reason: text(readOnly),
    actor: recordedLink({
      targets: ['users'],
      uri: 'actorUri',
      reference: { property: 'actorLogin', identity: AS_EMAIL },
      schemaName: 'Ref',
    }),
    agent: recordedLink({
      targets: ['users'],
      uri: 'agentUri',
      reference: { property: 'agentLogin', identity: AS_EMAIL },
      schemaName: 'Ref',
    }),
    program: text({
      ...readOnly,
      // A filter by the reference of the actor finds it, too.
      operators: [],
      sql: (alias) => `CASE WHEN ${alias}.actor_uri IS NULL THEN ${alias}.actor_login END`,
    }),
    object: recordedLink({ targets: NAMED, uri: 'objectUri', schemaName: 'AuditObject' }),
    address: text(readOnly),
    requestId: byBeginning(identifier),
    callerRequestId: byBeginning(identifier),
    count: number(always),
    before: state('before'),
    after: state('after'),
  },
});
