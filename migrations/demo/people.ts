import { phone } from './phones.js';

/** First names of the demonstration portal's people: French, English, German and some others. */
const FIRST_NAMES = [
  'Adèle',
  'Amélie',
  'Andreas',
  'Anaïs',
  'Anton',
  'Ayşe',
  'Benoît',
  'Björn',
  'Camille',
  'Cédric',
  'Charlotte',
  'Claire',
  'Daniel',
  'Désirée',
  'Edward',
  'Élodie',
  'Emily',
  'Éric',
  'Fabienne',
  'Felix',
  'François',
  'Frédéric',
  'Gaëlle',
  'George',
  'Greta',
  'Günther',
  'Hannah',
  'Hélène',
  'Henrik',
  'Hugo',
  'Inès',
  'Irène',
  'Jakub',
  'Jean-Luc',
  'Jörg',
  'José',
  'Julia',
  'Jürgen',
  'Karin',
  'Käthe',
  'Léa',
  'Loïc',
  'Lucía',
  'Łukasz',
  'Maëlle',
  'Margaret',
  'Matthias',
  'Mélanie',
  'Nathan',
  'Noémie',
  'Oliver',
  'Øyvind',
  'Paul',
  'Raphaël',
  'René',
  'Rosalind',
  'Sébastien',
  'Søren',
  'Sophie',
  'Thérèse',
  'Thomas',
  'Ulrike',
  'Valérie',
  'William',
  'Yann',
  'Zoë',
];

const LAST_NAMES = [
  'Ashdown',
  'Aubry',
  'Bäcker',
  'Bélanger',
  'Berger',
  'Blanchard',
  'Böhm',
  'Bouchet',
  'Brandt',
  'Carpenter',
  'Chevalier',
  'Collins',
  'Crüger',
  'Delacroix',
  'Dietrich',
  'Dubois',
  'Dufrêne',
  'Edwards',
  'Ebert',
  'Fontaine',
  'Forêt',
  'Fraser',
  'Garnier',
  'Gérard',
  'Großmann',
  'Hartley',
  'Héraud',
  'Hoffmann',
  'Hughes',
  'Jäger',
  'Joubert',
  'Kaya',
  'Köhler',
  'Kowalski',
  'Lacroix',
  'Lambert',
  'Lefèvre',
  'Lindqvist',
  'Martin',
  'Mercier',
  'Møller',
  'Moreau',
  'Müller',
  'Muñoz',
  'Nöthen',
  'Nowak',
  'Olsen',
  'Parker',
  'Perrin',
  'Quéméré',
  'Renard',
  'Richter',
  'Rousseau',
  'Sauvé',
  'Schäfer',
  'Schröder',
  'Spencer',
  'Strauß',
  'Thibault',
  'Vogel',
  'Weiß',
  'Whitfield',
];

const MEN = new Set(
  (
    'Andreas Anton Benoît Björn Cédric Daniel Edward Éric Felix François Frédéric George Günther Henrik Hugo ' +
    'Jakub Jean-Luc Jörg José Jürgen Loïc Łukasz Matthias Nathan Oliver Øyvind Paul Raphaël René Sébastien Søren ' +
    'Thomas William Yann'
  ).split(' '),
);

/** Short forms that bearers of a name go by. */
const NICKNAMES = new Map([
  ['Daniel', 'Dan'],
  ['Edward', 'Ted'],
  ['Frédéric', 'Fred'],
  ['Margaret', 'Maggie'],
  ['Rosalind', 'Roz'],
  ['Sébastien', 'Seb'],
  ['Thomas', 'Tom'],
  ['William', 'Will'],
]);

/** A person of the demonstration portal. */
export interface Person {
  login: string;
  firstName: string;
  lastName: string;
  nickName: string | null;
  gender: 'woman' | 'man';
  userFunction: string;
  locale: 'de' | 'en' | 'fr';
  /** Code of the organization. */
  organization: string;
  /** Login of the manager. */
  manager: string | null;
  status: number;
  administrator?: boolean;
  processEngine?: boolean;
  phoneNumber: string | null;
  mobilePhoneNumber: string | null;
  description: string | null;
  /** Days since the person joined, counted back from the seed's day. */
  since: number;
}

/** Numbers of towns and of the mobile networks of their countries. */
const PHONES = {
  Lyon: ['+33 4 65 71 0# ##', '+33 6 39 98 0# ##'],
  Zürich: ['+41 44 555 0# ##', '+41 79 555 0# ##'],
  Leeds: ['+44 113 496 0###', '+44 7700 900###'],
  Køge: ['+45 56 55 0# ##', '+45 20 55 0# ##'],
} as const;

/** The languages of the towns; in Køge people speak English at work. */
const LOCALES = { Lyon: 'fr', Zürich: 'de', Leeds: 'en', Køge: 'en' } as const;

/**
 * Teams over which people are distributed, where they work, and their jobs; a `|` separates the forms of women and men. See
 * organizations.ts.
 */
const TEAMS: [code: string, town: keyof typeof PHONES, jobs: string[]][] = [
  [
    'SALES-FR',
    'Lyon',
    [
      'Responsable grands comptes',
      'Chargée de clientèle|Chargé de clientèle',
      'Assistante commerciale|Assistant commercial',
    ],
  ],
  [
    'SALES-DACH',
    'Zürich',
    [
      'Key Account Managerin|Key Account Manager',
      'Kundenberaterin|Kundenberater',
      'Vertriebsingenieurin|Vertriebsingenieur',
    ],
  ],
  ['SALES-UK', 'Leeds', ['Key account manager', 'Sales engineer', 'Sales assistant']],
  ['SUPPORT', 'Leeds', ['Support technician', 'Customer adviser', 'Field engineer', 'Trainer']],
  ['LOGISTICS', 'Køge', ['Warehouse planner', 'Dispatcher', 'Warehouse manager']],
  [
    'PURCHASING',
    'Lyon',
    ['Acheteuse|Acheteur', 'Responsable achats', 'Approvisionneuse|Approvisionneur'],
  ],
  ['DEV', 'Zürich', ['Software developer', 'Tester', 'Product manager', 'Designer']],
  ['INFRA', 'Zürich', ['Network engineer', 'System engineer', 'Database administrator']],
  [
    'QUALITY',
    'Lyon',
    [
      'Ingénieure qualité|Ingénieur qualité',
      'Auditrice qualité|Auditeur qualité',
      'Technicienne de contrôle|Technicien de contrôle',
    ],
  ],
  ['PAYROLL', 'Zürich', ['Payroll specialist', 'Lohnbuchhalterin|Lohnbuchhalter']],
  [
    'RECRUITING',
    'Lyon',
    ['Chargée de recrutement|Chargé de recrutement', 'HR partner', 'Responsable formation'],
  ],
  ['ACCOUNTING', 'Zürich', ['Buchhalterin|Buchhalter', 'Accountant', 'Treasurer']],
  ['CONTROLLING', 'Zürich', ['Controllerin|Controller', 'Data analyst']],
  ['LEGAL', 'Zürich', ['Legal counsel', 'Juristin|Jurist', 'Contract manager']],
  ['COMMS', 'Zürich', ['Communication manager', 'Editor', 'Graphic designer']],
];

const CROWD = 170;

const ascii = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ß', 'ss')
    .replace(/[øØ]/g, 'o')
    .replace(/[łŁ]/g, 'l')
    .replaceAll('ş', 's')
    .replace(/[^A-Za-z-]/g, '')
    .toLowerCase();

const known = (
  login: string,
  firstName: string,
  lastName: string,
  organization: string,
  userFunction: string,
  more: Partial<Person> = {},
): Person => ({
  login,
  firstName,
  lastName,
  nickName: null,
  gender: 'woman',
  userFunction,
  locale: 'en',
  organization,
  manager: null,
  status: 1,
  phoneNumber: '+41 44 555 01 00',
  mobilePhoneNumber: null,
  description: null,
  since: 2000,
  ...more,
});

/** The three people in the guide, and the account of the process engine. */
const MAIN: Person[] = [
  known('alice.martin', 'Alice', 'Martin', 'IT', 'Head of IT and operations', {
    administrator: true,
    mobilePhoneNumber: '+41 79 555 01 01',
    description: 'Looks after the portal and everyone who uses it.',
  }),
  known('bruno.keller', 'Bruno', 'Keller', 'SALES-DACH', 'Key account manager', {
    manager: 'alice.martin',
    gender: 'man',
    phoneNumber: '+41 44 555 01 02',
    mobilePhoneNumber: '+41 79 555 01 02',
    since: 1200,
  }),
  known('chloe.lefevre', 'Chloé', 'Lefèvre', 'RECRUITING', 'Responsable recrutement', {
    manager: 'alice.martin',
    locale: 'fr',
    phoneNumber: null,
    since: 800,
  }),
  known('process.engine', 'Process', 'Engine', 'INFRA', 'Technical account', {
    processEngine: true,
    phoneNumber: null,
  }),
];

/** Picks names in fixed steps coprime to the lengths of the lists: they look random but never change. */
function crowd(): Person[] {
  const taken = new Set(MAIN.map(({ login }) => login));
  /** The first person of each team leads it. */
  const leads = new Map<string, string>();
  return Array.from({ length: CROWD }, (_, i) => {
    const firstName = FIRST_NAMES[(i * 25) % FIRST_NAMES.length]!;
    const lastName = LAST_NAMES[(i * 37 + Math.floor(i / 62)) % LAST_NAMES.length]!;
    const base = `${ascii(firstName)}.${ascii(lastName)}`;
    let login = base;
    for (let n = 2; taken.has(login); n++) login = `${base}${n}`;
    taken.add(login);
    const status = i % 41 === 7 ? 0 : i % 37 === 5 ? 2 : i % 53 === 11 ? 3 : 1;
    const [organization, town, jobs] = TEAMS[i % TEAMS.length]!;
    const gender = MEN.has(firstName) ? 'man' : 'woman';
    const [job, jobOfMan = job] = jobs[Math.floor(i / TEAMS.length) % jobs.length]!.split('|');
    const [fixed, mobile] = PHONES[town];
    if (i < TEAMS.length && status === 1) leads.set(organization, login);
    const number = String(200 + i);
    return {
      login,
      firstName,
      lastName,
      nickName: NICKNAMES.get(firstName) ?? null,
      gender,
      userFunction: (gender === 'man' ? jobOfMan : job)!,
      locale: LOCALES[town],
      organization,
      manager: i < TEAMS.length ? 'alice.martin' : (leads.get(organization) ?? 'alice.martin'),
      status,
      phoneNumber: i % 9 === 4 ? null : phone(fixed, number),
      mobilePhoneNumber: i % 4 === 1 ? null : phone(mobile, number),
      description:
        i % 13 === 6
          ? `Works from home on Fridays. Speaks ${i % 2 ? 'Spanish' : 'Italian'}.`
          : null,
      since: 30 + ((i * 97) % 3000),
    };
  });
}

export const PEOPLE: Person[] = [...MAIN, ...crowd()];
