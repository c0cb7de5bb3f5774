import { Reason } from '../../base/errors/reason.js';
import type { PresentContext } from '../../resources/attributes/attribute.js';
import { type CodeLabels, EnumAttribute } from '../../resources/attributes/enum-attribute.js';
import type { Operator } from '../../resources/attributes/operators.js';
import { TimestampAttribute } from '../../resources/attributes/timestamp-attribute.js';
import { parseFilter, splitValues } from '../../resources/list/filters.js';
import { tasks } from './task.resource.js';

/** The attributes of tasks by which views show and filter. */
const ATTRIBUTES: Record<string, CodeLabels> = {
  id: { en: 'Id', fr: 'Identifiant', de: 'Id' },
  uri: { en: 'URI', fr: 'URI', de: 'URI' },
  reference: { en: 'Reference', fr: 'Référence', de: 'Referenz' },
  label: { en: 'Label', fr: 'Libellé', de: 'Bezeichnung' },
  title: { en: 'Title', fr: 'Titre', de: 'Titel' },
  description: { en: 'Description', fr: 'Description', de: 'Beschreibung' },
  application: { en: 'Application', fr: 'Application', de: 'Anwendung' },
  applicationTitle: { en: 'Application', fr: 'Application', de: 'Anwendung' },
  assignee: { en: 'Assignee', fr: 'Responsable', de: 'Bearbeiter' },
  group: { en: 'Group', fr: 'Groupe', de: 'Gruppe' },
  status: { en: 'Status', fr: 'Statut', de: 'Status' },
  priority: { en: 'Priority', fr: 'Priorité', de: 'Priorität' },
  dueDate: { en: 'Due', fr: 'Échéance', de: 'Fällig' },
  link: { en: 'Link', fr: 'Lien', de: 'Link' },
  href: { en: 'Page', fr: 'Page', de: 'Seite' },
  creationDate: { en: 'Created', fr: 'Création', de: 'Erstellt' },
  modificationDate: { en: 'Changed', fr: 'Modification', de: 'Geändert' },
  completionDate: { en: 'Closed', fr: 'Clôture', de: 'Abgeschlossen' },
  followUpDate: { en: 'Follow-up', fr: 'Suivi', de: 'Wiedervorlage' },
  source: { en: 'Source', fr: 'Source', de: 'Quelle' },
  externalId: { en: 'External id', fr: 'Identifiant externe', de: 'Externe Id' },
  outcome: { en: 'Outcome', fr: 'Issue', de: 'Ergebnis' },
  closedBy: { en: 'Closed by', fr: 'Clôturée par', de: 'Abgeschlossen von' },
  confirmation: { en: 'Confirmation', fr: 'Confirmation', de: 'Bestätigung' },
  closedFor: { en: 'Closed for', fr: 'Clôturée pour', de: 'Abgeschlossen für' },
  substitute: { en: 'Substitute', fr: 'Remplaçant', de: 'Vertretung' },
};

const OPERATORS: Record<Operator, CodeLabels> = {
  eq: { en: 'is', fr: 'est', de: 'ist' },
  neq: { en: 'is not', fr: 'n’est pas', de: 'ist nicht' },
  in: { en: 'is one of', fr: 'est parmi', de: 'ist eines von' },
  gt: { en: 'is greater than', fr: 'est supérieur à', de: 'ist größer als' },
  gte: { en: 'is at least', fr: 'est au moins', de: 'ist mindestens' },
  lt: { en: 'is less than', fr: 'est inférieur à', de: 'ist kleiner als' },
  lte: { en: 'is at most', fr: 'est au plus', de: 'ist höchstens' },
  starts: { en: 'starts with', fr: 'commence par', de: 'beginnt mit' },
  ends: { en: 'ends with', fr: 'finit par', de: 'endet mit' },
  contains: { en: 'contains', fr: 'contient', de: 'enthält' },
  notcontains: { en: 'does not contain', fr: 'ne contient pas', de: 'enthält nicht' },
  isempty: { en: 'is empty', fr: 'est vide', de: 'ist leer' },
  isnotempty: { en: 'is not empty', fr: 'n’est pas vide', de: 'ist nicht leer' },
};

/** The attribute of tasks that a column of a view names, for people; `source.reference` is its path. */
export const displayColumn = (name: string, { locale }: PresentContext): string => {
  const [own = name, ...related] = name.split('.');
  return [ATTRIBUTES[own]?.[locale] ?? own, ...related].join(' ');
};

/** A filter of tasks for people: `status:eq:open` is “Status is open”. Ids and names of linked objects stay as they are. */
export function displayFilter(text: string, context: PresentContext): string {
  const { name, operator, value } = parseFilter(text);
  const attribute = tasks.attributes.get(name);
  const { locale } = context;
  const isShown = attribute instanceof EnumAttribute || attribute instanceof TimestampAttribute;
  const split = operator === 'in' && value !== undefined ? splitValues(value) : [value];
  const values = split instanceof Reason ? [value] : split;
  const shown = values.map((one) => (isShown ? attribute.display([one], 0, context) : one));
  const words = [displayColumn(name, context), OPERATORS[operator as Operator][locale]];
  return value === undefined ? words.join(' ') : [...words, shown.join(', ')].join(' ');
}
