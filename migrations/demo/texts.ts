import type { Audience } from './portal.js';

/** Audiences of content, assigned in rotation: most content is for everyone. */
export const AUDIENCES: Audience[] = [
  [],
  [],
  ['org:SALES'],
  [],
  ['org:HR', 'group:HIRING'],
  [],
  ['org:IT'],
  ['group:AURORA'],
  [],
  ['user:bruno.keller', 'org:FINANCE'],
];

const SUBJECTS = [
  'travel policy',
  'contract template',
  'safety instructions',
  'brand guide',
  'onboarding plan',
  'expense rules',
  'data protection notice',
  'quality manual',
  'price list',
  'project plan Aurora',
  'works agreement on remote work',
  'emergency plan',
  'training catalogue',
  'supplier contract',
  'meeting minutes',
  'network diagram',
  'charte informatique',
  'plan de formation',
  'Betriebsvereinbarung Gleitzeit',
  'Lieferantenvertrag',
];

const IMPORTABLE_RESOURCES = ['Guideline', 'Form', 'Report'];

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
const slug = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();

export const DOCUMENTS = Array.from({ length: 60 }, (_, i) => {
  const subject = SUBJECTS[i % SUBJECTS.length]!;
  const year = 2026 - Math.floor(i / SUBJECTS.length);
  const isText = i % 3 === 0;
  return {
    title: `${capital(subject)} ${year}`,
    description: `The ${subject} that applies in ${year}; older versions are kept for reference.`,
    fileName: `${slug(subject)}-${year}.${isText ? 'docx' : 'pdf'}`,
    mimeType: isText
      ? 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
      : 'application/pdf',
    size: 48_000 + i * 7_919,
    version: `${1 + (i % 4)}.${i % 3}`,
    category: IMPORTABLE_RESOURCES[i % IMPORTABLE_RESOURCES.length]!,
    keywords: `${subject} ${year}`,
    downloadUrl: `https://files.helvion.example/${slug(subject)}-${year}`,
    status: i % 23 === 9 ? 0 : i % 29 === 11 ? 2 : 1,
  };
});

const HEADLINES = [
  'The canteen opens its terrace',
  'New contract with our energy supplier',
  'Project Aurora goes live in spring',
  'Résultats du troisième trimestre',
  'Sommerfest am Zürichsee',
  'Two new colleagues in the works council',
  'Safety week: what to know',
  'La formation continue s’enrichit',
  'Our Køge warehouse grows by half',
  'Blood donation day on the ground floor',
  'How we plan the office move',
  'Neue Dienstwagenrichtlinie',
  'A prize for the support team',
  'Télétravail : ce qui change',
  'The marathon team needs runners',
];

/** Days from the seed's day to the publication and to the end of a news item. */
export const NEWS = Array.from({ length: 30 }, (_, i) => {
  const title = HEADLINES[i % HEADLINES.length]!;
  return {
    title: i < HEADLINES.length ? title : `${title} (continued)`,
    summary: `${title}: the essentials in a minute, with the plan for the next weeks.`,
    body: `${title}. The management thanks everybody who took part. Questions go to the communication team; the contract and the plan are in the documents.`,
    category: ['Company', 'People', 'Projects'][i % 3]!,
    publishedIn: i === 28 ? 60 : -3 * i - 1,
    endsIn: i === 27 ? -1 : i % 4 === 0 ? 90 : null,
    status: i === 25 ? 0 : i === 26 ? 2 : 1,
  };
});

const QUESTIONS: [string, string][] = [
  [
    'How do I ask for leave?',
    'Open the tile Leave requests, choose the days and send the request to your manager.',
  ],
  [
    'Where do I find the contract templates?',
    'Search the documents for contract; legal keeps them up to date.',
  ],
  [
    'Comment obtenir un badge ?',
    'Demandez-le à l’accueil avec votre contrat (contract) de travail et une pièce d’identité.',
  ],
  [
    'How do I change my password?',
    'Open your profile and choose Change password; the rules are shown there.',
  ],
  [
    'Wie melde ich eine Dienstreise an?',
    'Über die Kachel Business travel; der Plan der Reise genügt.',
  ],
  ['Who helps when my laptop does not start?', 'IT support, by the tile IT incidents or by phone.'],
  [
    'How long do I keep receipts?',
    'Until the expense claim is approved; finance keeps the copies.',
  ],
  [
    'Can I work from abroad?',
    'For up to twenty days a year, if your contract allows it and your manager plans it.',
  ],
];

export const FAQS = Array.from({ length: 40 }, (_, i) => {
  const [question, answer] = QUESTIONS[i % QUESTIONS.length]!;
  const place = ['Zürich', 'Lyon', 'Köln', 'Leeds', 'Køge'][Math.floor(i / QUESTIONS.length)]!;
  return {
    question: i < QUESTIONS.length ? question : `${question} (${place})`,
    answer,
    category: ['Everyday', 'IT', 'People'][i % 3]!,
    keywords: `${place} help`,
    status: i % 31 === 13 ? 0 : 1,
  };
});

const COMPANY_NAMES = [
  'Aubépine',
  'Bergkristall',
  'Clairval',
  'Drayton',
  'Éclipse',
  'Falkenstein',
  'Grünwald',
  'Harrow',
  'Iris',
  'Jonquille',
  'Kestrel',
  'Lumière',
  'Möwe',
  'Northgate',
  'Orée',
  'Pélican',
];
const BUSINESSES: [string, string][] = [
  ['Logistique SARL', 'France'],
  ['Maschinenbau GmbH', 'Germany'],
  ['Trading Ltd', 'United Kingdom'],
  ['Handel AG', 'Switzerland'],
  ['Foods ApS', 'Denmark'],
];
const CITIES = ['Lyon', 'Köln', 'Leeds', 'Genève', 'Århus'];

export const CUSTOMERS = Array.from({ length: 80 }, (_, i) => {
  const name = COMPANY_NAMES[i % COMPANY_NAMES.length]!;
  const kind = i % BUSINESSES.length;
  const [business, country] = BUSINESSES[kind]!;
  const host = `${slug(name)}-${slug(business).split('-')[0]}.example`;
  return {
    name: `${name} ${business}`,
    code: `C${String(1001 + i)}`,
    description: `Customer since ${2005 + (i % 20)}; frame contract with yearly plan.`,
    taxNumber: `X${String(700_000_000 + i * 7_331)}`,
    email: `contact@${host}`,
    phoneNumber: `+44 1632 960${String(100 + i)}`,
    address: `${1 + (i % 90)} ${['rue du Marché', 'Hauptstraße', 'High Street', 'Seeweg', 'Nørregade'][kind]!}`,
    city: CITIES[kind]!,
    country,
    webSite: `https://${host}/`,
    contactName: ['Renée Blanc', 'Jörg Süß', 'Ann Whitby', 'Urs Frei', 'Søren Holm'][kind]!,
    status: i % 43 === 17 ? 2 : 1,
  };
});
