import type { Person } from './people.js';

/** An audience: codes with the prefix `org:`, `group:` or `user:`; empty means everyone. */
export type Audience = string[];

/** A text in the other languages of the portal. */
export interface Translated {
  fr: string;
  de: string;
}

/** A category of the demonstration portal. */
export interface DemoCategory {
  reference: string;
  title: string;
  translated: Translated;
}

export const CATEGORIES: DemoCategory[] = [
  {
    reference: 'EVERYDAY',
    title: 'Everyday',
    translated: { fr: 'Au quotidien', de: 'Alltag' },
  },
  {
    reference: 'PEOPLE',
    title: 'People and careers',
    translated: { fr: 'Ressources humaines', de: 'Personal und Karriere' },
  },
  { reference: 'FINANCE', title: 'Finance', translated: { fr: 'Finances', de: 'Finanzen' } },
  {
    reference: 'SALES',
    title: 'Customers and sales',
    translated: { fr: 'Clients et ventes', de: 'Kunden und Vertrieb' },
  },
  {
    reference: 'IT',
    title: 'IT services',
    translated: { fr: 'Services informatiques', de: 'IT-Dienste' },
  },
];

/** An application of the demonstration portal. */
export interface DemoApplication {
  reference: string;
  title: string;
  translated: Translated;
  type: 'PROCESS' | 'LINK';
  categories: string[];
  tileColor: string;
  icon: string;
  keywords: string;
  /** The address of a LINK. */
  link?: string;
  targetBlank?: boolean;
  helpLinkJS?: string;
  audience: Audience;
  active?: boolean;
  /** The view that the tile of a PROCESS opens. It has every open task of this application. */
  view?: { label: string; translated: Translated; filters: string[]; sorter: string };
}

const MINE = {
  label: 'My open tasks',
  translated: { fr: 'Mes tâches ouvertes', de: 'Meine offenen Aufgaben' },
  filters: ['status:eq:open', 'assignee:eq:@me'],
  sorter: 'dueDate',
};
const OURS = {
  label: 'Open tasks of my groups',
  translated: { fr: 'Tâches ouvertes de mes groupes', de: 'Offene Aufgaben meiner Gruppen' },
  filters: ['status:eq:open', 'group:eq:@mygroups'],
  sorter: '-priority,dueDate',
};
const ALL = {
  label: 'Open tasks for me and my groups',
  translated: {
    fr: 'Tâches ouvertes pour moi et mes groupes',
    de: 'Offene Aufgaben für mich und meine Gruppen',
  },
  filters: ['status:eq:open'],
  sorter: '-priority,dueDate',
};

export const APPLICATIONS: DemoApplication[] = [
  {
    reference: 'LEAVE',
    title: 'Leave requests',
    translated: { fr: 'Demandes de congés', de: 'Urlaubsanträge' },
    type: 'PROCESS',
    categories: ['EVERYDAY', 'PEOPLE'],
    tileColor: 'green',
    icon: 'calendar-days',
    keywords: 'holiday absence congés Urlaub',
    helpLinkJS: '/workplace/help/leave',
    audience: [],
    view: MINE,
  },
  {
    reference: 'TRAVEL',
    title: 'Business travel',
    translated: { fr: 'Déplacements professionnels', de: 'Dienstreisen' },
    type: 'PROCESS',
    categories: ['EVERYDAY'],
    tileColor: 'blue',
    icon: 'plane',
    keywords: 'trip hotel voyage Dienstreise',
    audience: [],
    view: ALL,
  },
  {
    reference: 'EXPENSES',
    title: 'Expense claims',
    translated: { fr: 'Notes de frais', de: 'Spesenabrechnungen' },
    type: 'PROCESS',
    categories: ['EVERYDAY', 'FINANCE'],
    tileColor: 'orange',
    icon: 'receipt',
    keywords: 'receipt frais Spesen',
    helpLinkJS: '/workplace/help/expenses',
    audience: [],
    view: ALL,
  },
  {
    reference: 'DIRECTORY',
    title: 'Staff directory',
    translated: { fr: 'Annuaire', de: 'Personenverzeichnis' },
    type: 'LINK',
    categories: ['EVERYDAY'],
    tileColor: 'teal',
    icon: 'users',
    keywords: 'phone annuaire',
    link: '/workplace/people',
    audience: [],
  },
  {
    reference: 'CANTEEN',
    title: 'Canteen menu',
    translated: { fr: 'Menu de la cantine', de: 'Speiseplan der Kantine' },
    type: 'LINK',
    categories: ['EVERYDAY'],
    tileColor: 'yellow',
    icon: 'newspaper',
    keywords: 'lunch',
    link: 'https://canteen.helvion.example/menu',
    targetBlank: true,
    audience: [],
  },
  {
    reference: 'ROOMS',
    title: 'Meeting rooms',
    translated: { fr: 'Salles de réunion', de: 'Besprechungsräume' },
    type: 'LINK',
    categories: ['EVERYDAY'],
    tileColor: 'grey',
    icon: 'building-2',
    keywords: 'booking salle',
    link: 'https://rooms.helvion.example/',
    targetBlank: true,
    audience: [],
  },
  {
    reference: 'HIRING',
    title: 'Hiring',
    translated: { fr: 'Recrutement', de: 'Einstellungen' },
    type: 'PROCESS',
    categories: ['PEOPLE'],
    tileColor: 'purple',
    icon: 'briefcase',
    keywords: 'candidate recrutement',
    audience: ['org:HR', 'group:HIRING'],
    view: OURS,
  },
  {
    reference: 'ONBOARDING',
    title: 'Onboarding',
    translated: { fr: 'Intégration', de: 'Einarbeitung' },
    type: 'PROCESS',
    categories: ['PEOPLE'],
    tileColor: 'pink',
    icon: 'graduation-cap',
    keywords: 'newcomer arrivée',
    audience: ['org:HR', 'group:NEWCOMERS'],
    view: ALL,
  },
  {
    reference: 'APPRAISAL',
    title: 'Annual appraisals',
    translated: { fr: 'Entretiens annuels', de: 'Jahresgespräche' },
    type: 'PROCESS',
    categories: ['PEOPLE'],
    tileColor: 'indigo',
    icon: 'file-text',
    keywords: 'review entretien',
    audience: [],
    view: MINE,
  },
  {
    reference: 'TRAINING',
    title: 'Training catalogue',
    translated: { fr: 'Catalogue des formations', de: 'Schulungskatalog' },
    type: 'LINK',
    categories: ['PEOPLE'],
    tileColor: 'blue',
    icon: 'book-open',
    keywords: 'course formation',
    link: 'https://learning.helvion.example/',
    targetBlank: true,
    audience: [],
  },
  {
    reference: 'PAYSLIPS',
    title: 'Payslips',
    translated: { fr: 'Fiches de paie', de: 'Gehaltsabrechnungen' },
    type: 'LINK',
    categories: ['PEOPLE', 'FINANCE'],
    tileColor: 'green',
    icon: 'receipt',
    keywords: 'salary paie',
    link: 'https://pay.helvion.example/',
    targetBlank: true,
    audience: [],
  },
  {
    reference: 'INVOICES',
    title: 'Invoice approval',
    translated: { fr: 'Validation des factures', de: 'Rechnungsfreigabe' },
    type: 'PROCESS',
    categories: ['FINANCE'],
    tileColor: 'red',
    icon: 'file-text',
    keywords: 'supplier facture Rechnung',
    audience: ['org:FINANCE', 'group:EXPENSE-APPROVERS'],
    view: ALL,
  },
  {
    reference: 'PURCHASE',
    title: 'Purchase orders',
    translated: { fr: 'Commandes d’achat', de: 'Bestellungen' },
    type: 'PROCESS',
    categories: ['FINANCE'],
    tileColor: 'orange',
    icon: 'shopping-cart',
    keywords: 'order achat',
    audience: ['org:OPERATIONS', 'user:alice.martin'],
    view: ALL,
  },
  {
    reference: 'BUDGET',
    title: 'Budget reports',
    translated: { fr: 'Suivi budgétaire', de: 'Budgetberichte' },
    type: 'LINK',
    categories: ['FINANCE'],
    tileColor: 'indigo',
    icon: 'chart-line',
    keywords: 'report',
    link: 'https://reports.helvion.example/budget',
    targetBlank: true,
    audience: ['org:FINANCE', 'org:IT'],
  },
  {
    reference: 'CONTRACTS',
    title: 'Customer contracts',
    translated: { fr: 'Contrats clients', de: 'Kundenverträge' },
    type: 'PROCESS',
    categories: ['SALES'],
    tileColor: 'blue',
    icon: 'shield-check',
    keywords: 'contract Vertrag contrat',
    audience: ['org:SALES'],
    view: MINE,
  },
  {
    reference: 'COMPLAINTS',
    title: 'Complaints',
    translated: { fr: 'Réclamations', de: 'Reklamationen' },
    type: 'PROCESS',
    categories: ['SALES'],
    tileColor: 'red',
    icon: 'headphones',
    keywords: 'customer réclamation',
    audience: ['org:SALES', 'org:OPERATIONS'],
    view: ALL,
  },
  {
    reference: 'CRM',
    title: 'Customer base',
    translated: { fr: 'Base clients', de: 'Kundenstamm' },
    type: 'LINK',
    categories: ['SALES'],
    tileColor: 'teal',
    icon: 'users',
    keywords: 'crm',
    link: 'https://crm.helvion.example/',
    targetBlank: true,
    audience: ['org:SALES'],
  },
  {
    reference: 'INCIDENTS',
    title: 'IT incidents',
    translated: { fr: 'Incidents informatiques', de: 'IT-Störungen' },
    type: 'PROCESS',
    categories: ['IT'],
    tileColor: 'red',
    icon: 'life-buoy',
    keywords: 'helpdesk ticket',
    audience: ['org:IT', 'group:IT-SUPPORT'],
    view: ALL,
  },
  {
    reference: 'ACCESS',
    title: 'Access requests',
    translated: { fr: 'Demandes d’accès', de: 'Zugangsanträge' },
    type: 'PROCESS',
    categories: ['IT'],
    tileColor: 'grey',
    icon: 'key-round',
    keywords: 'permission accès',
    audience: ['group:IT-SUPPORT', 'group:AURORA'],
    view: ALL,
  },
  {
    reference: 'FLEET',
    title: 'Company cars',
    translated: { fr: 'Véhicules de service', de: 'Dienstwagen' },
    type: 'LINK',
    categories: ['EVERYDAY'],
    tileColor: 'yellow',
    icon: 'car',
    keywords: 'fleet',
    link: 'https://fleet.helvion.example/',
    targetBlank: true,
    audience: [],
    active: false,
  },
];

/** The work of a process application. `{n}` is a running number, `{week}` one of a calendar week. */
interface DemoWork {
  application: string;
  /** Titles of tasks for one person, in the person's language; as many in each. */
  personal?: Record<Person['locale'], string[]>;
  /** Titles of tasks for a group, by its reference. */
  shared: Record<string, string[]>;
}

export const WORK: DemoWork[] = [
  {
    application: 'LEAVE',
    personal: {
      en: [
        'Approve leave of week {week}',
        'Approve leave in calendar week {week}',
        'Plan the replacement for week {week}',
      ],
      fr: [
        'Valider l’absence de la semaine {week}',
        'Valider les congés, semaine {week}',
        'Prévoir le remplacement, semaine {week}',
      ],
      de: [
        'Abwesenheit in Woche {week} genehmigen',
        'Urlaub in Kalenderwoche {week} genehmigen',
        'Vertretung für Woche {week} planen',
      ],
    },
    shared: {},
  },
  {
    application: 'TRAVEL',
    personal: {
      en: [
        'Book the train to Lyon, trip {n}',
        'Approve trip {n} to Zürich',
        'Confirm the hotel for trip {n}',
      ],
      fr: [
        'Réserver le train pour Lyon, voyage {n}',
        'Valider le voyage {n} à Zurich',
        'Confirmer l’hôtel du voyage {n}',
      ],
      de: [
        'Zug nach Lyon buchen, Reise {n}',
        'Reise {n} nach Zürich genehmigen',
        'Hotel für Reise {n} bestätigen',
      ],
    },
    shared: {
      'WORKS-COUNCIL': ['Comment on the night trains of trip {n}'],
      AURORA: ['Choose a hotel for the workshop of week {week}'],
    },
  },
  {
    application: 'EXPENSES',
    personal: {
      en: ['Add the missing receipt to claim {n}', 'Complete expense claim {n}'],
      fr: ['Joindre le justificatif manquant à la note {n}', 'Compléter la note de frais {n}'],
      de: ['Fehlenden Beleg zu Abrechnung {n} nachreichen', 'Spesenabrechnung {n} ergänzen'],
    },
    shared: { 'EXPENSE-APPROVERS': ['Check expense claim {n}', 'Vérifier la note de frais {n}'] },
  },
  {
    application: 'HIRING',
    shared: { HIRING: ['Read application {n}', 'Interview candidate {n}', 'Préparer l’offre {n}'] },
  },
  {
    application: 'ONBOARDING',
    personal: {
      en: ['Prepare the desk of newcomer {n}', 'Issue badge {n}'],
      fr: ['Préparer le bureau de l’arrivant {n}', 'Créer le badge {n}'],
      de: ['Arbeitsplatz für Neuzugang {n} einrichten', 'Ausweis {n} ausstellen'],
    },
    shared: { NEWCOMERS: ['Join the welcome meeting of week {week}'] },
  },
  {
    application: 'APPRAISAL',
    personal: {
      en: ['Write appraisal {n}', 'Prepare the appraisal talk {n}'],
      fr: ['Rédiger l’évaluation {n}', 'Préparer l’entretien annuel {n}'],
      de: ['Beurteilung {n} schreiben', 'Jahresgespräch {n} vorbereiten'],
    },
    shared: {},
  },
  {
    application: 'INVOICES',
    personal: {
      en: ['Check invoice {n}', 'Clarify invoice {n} with the supplier'],
      fr: ['Vérifier la facture {n}', 'Clarifier la facture {n} avec le fournisseur'],
      de: ['Rechnung {n} prüfen', 'Rechnung {n} mit dem Lieferanten klären'],
    },
    shared: { 'EXPENSE-APPROVERS': ['Approve invoice {n}'] },
  },
  {
    application: 'PURCHASE',
    personal: {
      en: ['Release purchase order {n}', 'Compare the offers for order {n}'],
      fr: ['Valider la commande {n}', 'Comparer les offres pour la commande {n}'],
      de: ['Bestellung {n} freigeben', 'Angebote für Bestellung {n} vergleichen'],
    },
    shared: {},
  },
  {
    application: 'CONTRACTS',
    personal: {
      en: ['Renew contract {n}', 'Check the terms of contract {n}', 'Sign contract {n}'],
      fr: [
        'Renouveler le contrat {n}',
        'Vérifier les conditions du contrat {n}',
        'Signer le contrat {n}',
      ],
      de: [
        'Vertrag {n} verlängern',
        'Bedingungen von Vertrag {n} prüfen',
        'Vertrag {n} unterschreiben',
      ],
    },
    shared: {},
  },
  {
    application: 'COMPLAINTS',
    personal: {
      en: ['Answer complaint {n}', 'Call the customer about complaint {n}'],
      fr: ['Répondre à la réclamation {n}', 'Appeler le client, réclamation {n}'],
      de: ['Reklamation {n} beantworten', 'Kunden zu Reklamation {n} anrufen'],
    },
    shared: {},
  },
  {
    application: 'INCIDENTS',
    personal: {
      en: ['Laptop {n} does not start', 'VPN drops for case {n}'],
      fr: ['L’ordinateur {n} ne démarre pas', 'Le VPN se coupe, dossier {n}'],
      de: ['Laptop {n} startet nicht', 'VPN bricht ab, Fall {n}'],
    },
    shared: { 'IT-SUPPORT': ['Printer P-{n} is offline'] },
  },
  {
    application: 'ACCESS',
    personal: {
      en: ['Review access {n}'],
      fr: ['Contrôler l’accès {n}'],
      de: ['Zugang {n} überprüfen'],
    },
    shared: { 'IT-SUPPORT': ['Grant access {n}'] },
  },
];

/** The stored translations of one attribute. */
export const translations = (attribute: string, { fr, de }: Translated): object => ({
  de: { [attribute]: de },
  fr: { [attribute]: fr },
});
