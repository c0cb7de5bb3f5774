/** An audience: codes with the prefix `org:`, `group:` or `user:`; empty means everyone. */
export type Audience = string[];

export const CATEGORIES: [reference: string, title: string][] = [
  ['EVERYDAY', 'Everyday'],
  ['PEOPLE', 'People and careers'],
  ['FINANCE', 'Finance'],
  ['SALES', 'Customers and sales'],
  ['IT', 'IT services'],
];

/** An application of the demonstration portal. */
export interface DemoApplication {
  reference: string;
  title: string;
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
  /** The view that the tile of a PROCESS opens. It has every task that waits for somebody in this application. */
  view?: { label: string; filters: string[]; sorter: string };
}

const MINE = {
  label: 'My open tasks',
  filters: ['status:eq:open', 'assignee:eq:@me'],
  sorter: 'dueDate',
};
const OURS = {
  label: 'Open tasks of my groups',
  filters: ['status:eq:open', 'group:eq:@mygroups'],
  sorter: '-priority,dueDate',
};
const ALL = {
  label: 'Open tasks for me and my groups',
  filters: ['status:eq:open'],
  sorter: '-priority,dueDate',
};

export const APPLICATIONS: DemoApplication[] = [
  {
    reference: 'LEAVE',
    title: 'Leave requests',
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
  /** Titles of tasks for one person. */
  personal: string[];
  /** Titles of tasks for a group, by its reference. */
  shared: Record<string, string[]>;
}

export const WORK: DemoWork[] = [
  {
    application: 'LEAVE',
    personal: [
      'Approve leave of week {week}',
      'Valider les congés, semaine {week}',
      'Plan the replacement for week {week}',
    ],
    shared: {},
  },
  {
    application: 'TRAVEL',
    personal: [
      'Book the train to Lyon, trip {n}',
      'Approve trip {n} to Zürich',
      'Hotel für Reise {n} bestätigen',
    ],
    shared: {
      'WORKS-COUNCIL': ['Comment on the night trains of trip {n}'],
      AURORA: ['Choose a hotel for the workshop of week {week}'],
    },
  },
  {
    application: 'EXPENSES',
    personal: ['Add the missing receipt to claim {n}', 'Compléter la note de frais {n}'],
    shared: { 'EXPENSE-APPROVERS': ['Check expense claim {n}', 'Vérifier la note de frais {n}'] },
  },
  {
    application: 'HIRING',
    personal: [],
    shared: { HIRING: ['Read application {n}', 'Interview candidate {n}', 'Préparer l’offre {n}'] },
  },
  {
    application: 'ONBOARDING',
    personal: ['Prepare the desk of newcomer {n}', 'Créer le badge {n}'],
    shared: { NEWCOMERS: ['Join the welcome meeting of week {week}'] },
  },
  {
    application: 'APPRAISAL',
    personal: ['Write appraisal {n}', 'Prepare the appraisal talk {n}'],
    shared: {},
  },
  {
    application: 'INVOICES',
    personal: ['Rechnung {n} prüfen', 'Clarify invoice {n} with the supplier'],
    shared: { 'EXPENSE-APPROVERS': ['Approve invoice {n}'] },
  },
  {
    application: 'PURCHASE',
    personal: ['Release purchase order {n}', 'Compare the offers for order {n}'],
    shared: {},
  },
  {
    application: 'CONTRACTS',
    personal: [
      'Renew contract {n}',
      'Check the terms of contract {n}',
      'Vertrag {n} unterschreiben',
    ],
    shared: {},
  },
  {
    application: 'COMPLAINTS',
    personal: ['Answer complaint {n}', 'Call the customer about complaint {n}'],
    shared: {},
  },
  {
    application: 'INCIDENTS',
    personal: ['Laptop {n} does not start', 'VPN drops for case {n}'],
    shared: { 'IT-SUPPORT': ['Printer P-{n} is offline'] },
  },
  {
    application: 'ACCESS',
    personal: ['Review access {n}'],
    shared: { 'IT-SUPPORT': ['Grant access {n}'] },
  },
];
