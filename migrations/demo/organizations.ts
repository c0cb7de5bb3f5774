/** An organization of the demonstration portal: code, label, code of the parent. */
export const ORGANIZATIONS: [code: string, label: string, parent: string | null][] = [
  ['HQ', 'Helvion Group', null],
  ['SALES', 'Sales', 'HQ'],
  ['OPERATIONS', 'Operations', 'HQ'],
  ['IT', 'Information technology', 'HQ'],
  ['HR', 'Ressources humaines', 'HQ'],
  ['FINANCE', 'Finance and legal', 'HQ'],
  ['SALES-FR', 'Ventes France', 'SALES'],
  ['SALES-DACH', 'Vertrieb DACH', 'SALES'],
  ['SALES-UK', 'Sales United Kingdom', 'SALES'],
  ['SUPPORT', 'Customer support', 'OPERATIONS'],
  ['LOGISTICS', 'Logistics Køge', 'OPERATIONS'],
  ['PURCHASING', 'Achats', 'OPERATIONS'],
  ['QUALITY', 'Qualité', 'OPERATIONS'],
  ['DEV', 'Software development', 'IT'],
  ['INFRA', 'Infrastructure', 'IT'],
  ['PAYROLL', 'Payroll', 'HR'],
  ['RECRUITING', 'Recrutement', 'HR'],
  ['ACCOUNTING', 'Buchhaltung', 'FINANCE'],
  ['CONTROLLING', 'Controlling', 'FINANCE'],
  ['LEGAL', 'Legal', 'FINANCE'],
  ['COMMS', 'Communication', 'HQ'],
];

/** Groups: reference, label, description, logins of named members, and every n-th of the other people. */
export const GROUPS: {
  reference: string;
  label: string;
  description: string;
  members: string[];
  every: number;
}[] = [
  {
    reference: 'WORKS-COUNCIL',
    label: 'Works council',
    description: 'Elected every four years',
    members: ['bruno.keller'],
    every: 29,
  },
  {
    reference: 'IT-SUPPORT',
    label: 'IT support',
    description: 'First and second line',
    members: ['alice.martin'],
    every: 17,
  },
  {
    reference: 'EXPENSE-APPROVERS',
    label: 'Expense approvers',
    description: 'Approve what was spent',
    members: ['alice.martin', 'bruno.keller'],
    every: 23,
  },
  {
    reference: 'HIRING',
    label: 'Hiring team',
    description: 'Everyone who takes part in interviews',
    members: ['chloe.lefevre', 'bruno.keller'],
    every: 19,
  },
  {
    reference: 'AURORA',
    label: 'Project Aurora',
    description: 'The new portal',
    members: ['alice.martin', 'chloe.lefevre'],
    every: 13,
  },
  {
    reference: 'NEWCOMERS',
    label: 'Nouveaux arrivants',
    description: 'New colleagues and those who guide them',
    members: ['chloe.lefevre'],
    every: 11,
  },
];
