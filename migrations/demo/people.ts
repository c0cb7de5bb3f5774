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

const FUNCTIONS = [
  'Accountant',
  'Buyer',
  'Controller',
  'Customer adviser',
  'Data analyst',
  'Designer',
  'Développeuse',
  'Field engineer',
  'HR partner',
  'Ingénieur qualité',
  'Juriste',
  'Key account manager',
  'Lagerleiter',
  'Marketing manager',
  'Network engineer',
  'Payroll specialist',
  'Planner',
  'Product manager',
  'Projektleiter',
  'Recruiter',
  'Responsable achats',
  'Sales engineer',
  'Support technician',
  'Tester',
  'Trainer',
  'Treasurer',
];

/** A person of the demonstration portal. */
export interface Person {
  login: string;
  firstName: string;
  lastName: string;
  nickName: string | null;
  userFunction: string;
  locale: 'en' | 'fr';
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

/** Teams over which people are distributed, and where they work; see organizations.ts. */
const TEAMS: [code: string, town: keyof typeof PHONES][] = [
  ['SALES-FR', 'Lyon'],
  ['SALES-DACH', 'Zürich'],
  ['SALES-UK', 'Leeds'],
  ['SUPPORT', 'Leeds'],
  ['LOGISTICS', 'Køge'],
  ['PURCHASING', 'Lyon'],
  ['DEV', 'Zürich'],
  ['INFRA', 'Zürich'],
  ['QUALITY', 'Lyon'],
  ['PAYROLL', 'Zürich'],
  ['RECRUITING', 'Lyon'],
  ['ACCOUNTING', 'Zürich'],
  ['CONTROLLING', 'Zürich'],
  ['LEGAL', 'Zürich'],
  ['COMMS', 'Zürich'],
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
  known('alice.martin', 'Alice', 'Martin', 'IT', 'Head of IT', {
    administrator: true,
    mobilePhoneNumber: '+41 79 555 01 01',
    description: 'Looks after the portal and everyone who uses it.',
  }),
  known('bruno.keller', 'Bruno', 'Keller', 'SALES-DACH', 'Key account manager', {
    manager: 'alice.martin',
    nickName: 'Bru',
    mobilePhoneNumber: '+49 171 555 02 02',
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
  return Array.from({ length: CROWD }, (_, i) => {
    const firstName = FIRST_NAMES[(i * 25) % FIRST_NAMES.length]!;
    const lastName = LAST_NAMES[(i * 37 + Math.floor(i / 62)) % LAST_NAMES.length]!;
    const base = `${ascii(firstName)}.${ascii(lastName)}`;
    let login = base;
    for (let n = 2; taken.has(login); n++) login = `${base}${n}`;
    taken.add(login);
    const status = i % 41 === 7 ? 0 : i % 37 === 5 ? 2 : i % 53 === 11 ? 3 : 1;
    const [organization, town] = TEAMS[i % TEAMS.length]!;
    const [fixed, mobile] = PHONES[town];
    const number = String(200 + i);
    return {
      login,
      firstName,
      lastName,
      nickName: i % 11 === 3 ? firstName.slice(0, 3) : null,
      userFunction: FUNCTIONS[(i * 7) % FUNCTIONS.length]!,
      locale: i % 3 === 0 ? 'fr' : 'en',
      organization,
      manager: i < TEAMS.length ? 'alice.martin' : null,
      status,
      phoneNumber: i % 9 === 4 ? null : phone(fixed, number),
      mobilePhoneNumber: i % 4 === 1 ? null : phone(mobile, number),
      description:
        i % 13 === 6 ? `Works from home on Fridays. Speaks ${i % 2 ? 'German' : 'French'}.` : null,
      since: 30 + ((i * 97) % 3000),
    };
  });
}

export const PEOPLE: Person[] = [...MAIN, ...crowd()];
