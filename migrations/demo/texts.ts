import { phone } from './phones.js';
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

const CATEGORIES = ['Guideline', 'Form', 'Report'];

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
const slug = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();

type Language = 'en' | 'fr' | 'de';

const languageOf = (subject: string): Language =>
  /charte|formation/.test(subject) ? 'fr' : /vertrag|vereinbarung/.test(subject) ? 'de' : 'en';

const VALIDITY: Record<Language, (year: number) => string> = {
  en: (year) => `Applies in ${year}; older versions are kept for reference.`,
  fr: (year) => `En vigueur en ${year} ; les versions antérieures restent consultables.`,
  de: (year) => `Gilt ${year}; ältere Fassungen bleiben zum Nachschlagen erhalten.`,
};

export const DOCUMENTS = Array.from({ length: 60 }, (_, i) => {
  const subject = SUBJECTS[i % SUBJECTS.length]!;
  const year = new Date().getUTCFullYear() - Math.floor(i / SUBJECTS.length);
  const language = languageOf(subject);
  const isText = i % 3 === 0;
  return {
    title: `${capital(subject)} ${year}`,
    locale: language,
    description: VALIDITY[language](year),
    fileName: `${slug(subject)}-${year}.${isText ? 'docx' : 'pdf'}`,
    mimeType: isText
      ? 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
      : 'application/pdf',
    size: 48_000 + i * 7_919,
    version: `${1 + (i % 4)}.${i % 3}`,
    category: CATEGORIES[i % CATEGORIES.length]!,
    keywords: `${subject} ${year}`,
    downloadUrl: `https://files.helvion.example/${slug(subject)}-${year}`,
    status: i % 23 === 9 ? 0 : i % 29 === 11 ? 2 : 1,
  };
});

const HEADLINES: [title: string, language: Language, category: string, summary: string][] = [
  [
    'The canteen opens its terrace',
    'en',
    'Company',
    'Lunch is served outside from noon to two, and the coffee bar stays open until four.',
  ],
  [
    'New contract with our energy supplier',
    'en',
    'Company',
    'From next month all sites run on electricity from wind and water, at a price fixed for three years.',
  ],
  [
    'Project Aurora goes live next quarter',
    'en',
    'Projects',
    'The pilot teams have worked with the new portal for six weeks and report few faults.',
  ],
  [
    'Résultats du trimestre',
    'fr',
    'Company',
    'Le chiffre d’affaires progresse de quatre pour cent, porté par les nouveaux contrats (contract) de service.',
  ],
  [
    'Familienfest am Zürichsee',
    'de',
    'People',
    'Familien sind willkommen; die Schiffe fahren um elf Uhr am Bürkliplatz ab.',
  ],
  [
    'Two new colleagues in the works council',
    'en',
    'People',
    'They replace two members who retired, and can be reached on Tuesday mornings.',
  ],
  [
    'Safety week: what to know',
    'en',
    'Company',
    'Every floor practises the evacuation once; visitors take part.',
  ],
  [
    'La formation continue s’enrichit',
    'fr',
    'People',
    'Douze cours en ligne s’ajoutent au catalogue, dont quatre en allemand.',
  ],
  [
    'Our Køge warehouse grows by half',
    'en',
    'Projects',
    'Sixty new docks shorten the waiting time of lorries to a quarter of an hour.',
  ],
  [
    'Blood donation day on the ground floor',
    'en',
    'People',
    'Doctors and nurses receive donors from eight to four; a snack is provided.',
  ],
  [
    'How we plan the office move',
    'en',
    'Projects',
    'Teams choose their floor this month, and movers pack the archives themselves.',
  ],
  [
    'Neue Dienstwagenrichtlinie',
    'de',
    'Company',
    'Neu bestellt werden nur noch Elektroautos; die Ladekarte gilt in ganz Europa.',
  ],
  [
    'A prize for the support team',
    'en',
    'People',
    'Customers gave Leeds the best marks for friendliness among forty suppliers.',
  ],
  [
    'Télétravail : ce qui change',
    'fr',
    'Company',
    'Deux jours par semaine restent possibles, à convenir avec la personne responsable.',
  ],
  [
    'The marathon team needs runners',
    'en',
    'People',
    'Training starts on Thursday at six; beginners run the relay.',
  ],
  [
    'A bicycle for the way to work',
    'en',
    'Company',
    'The company leases bicycles to everybody with a permanent contract.',
  ],
  [
    'Invoices go paperless',
    'en',
    'Projects',
    'Suppliers send invoices by e-mail only; the mail room scans the remaining ones.',
  ],
  [
    'Lyon accueille l’équipe commerciale',
    'fr',
    'People',
    'Quarante collègues se retrouvent pendant deux jours pour préparer l’année.',
  ],
  [
    'The new price list is out',
    'en',
    'Company',
    'Prices rise by two per cent on average; existing contracts keep theirs.',
  ],
  [
    'Zürcher Büro zieht um',
    'de',
    'Projects',
    'Ab nächstem Monat arbeiten alle Zürcher Teams in einem Haus am Bahnhof.',
  ],
  [
    'Meet the apprentices of this year',
    'en',
    'People',
    'Nine young people start in logistics, accounting and software development.',
  ],
  [
    'Audit passed without findings',
    'en',
    'Company',
    'The auditors praised the way in which contracts are filed.',
  ],
  [
    'Un nouvel entrepôt pour les retours',
    'fr',
    'Projects',
    'Les retours des clients français ne passent plus par Køge.',
  ],
  [
    'Flu vaccination from Monday',
    'en',
    'People',
    'The company doctor vaccinates in the first-aid rooms; no appointment is needed.',
  ],
  [
    'VPN maintenance on Sunday night',
    'en',
    'Projects',
    'Connections drop between one and three o’clock; save your work before.',
  ],
  [
    'Draft: the year in figures',
    'en',
    'Company',
    'Turnover, headcount and energy at a glance, still to be checked by finance.',
  ],
  [
    'The shuttle has a new timetable',
    'en',
    'Company',
    'The shuttle runs every twenty minutes again, first from the station at seven.',
  ],
  [
    'Last days to choose a health plan',
    'en',
    'People',
    'Those who choose nothing keep their present plan.',
  ],
  [
    'A new look for our brand',
    'en',
    'Company',
    'Letters, slides and signs change step by step; templates are in the documents.',
  ],
  [
    'Leeds celebrates its tenth anniversary',
    'en',
    'People',
    'Ten years ago the office opened with six people; today it has more than twenty.',
  ],
];

const CLOSINGS: Record<Language, string> = {
  en: 'Questions go to the communication team.',
  fr: 'L’équipe communication répond aux questions.',
  de: 'Fragen beantwortet die Kommunikation.',
};

/** Publication and end are days from the first day of the demonstration. */
export const NEWS = HEADLINES.map(([title, language, category, summary], i) => {
  return {
    title,
    locale: language,
    summary,
    body: `${summary} ${CLOSINGS[language]}`,
    category,
    publishedIn: i === 28 ? 60 : -3 * i - 1,
    endsIn: i === 27 ? -1 : i % 4 === 0 ? 90 : null,
    status: i === 25 ? 0 : i === 26 ? 2 : 1,
  };
});

const QUESTIONS: [question: string, answer: string, language: Language, category: string][] = [
  [
    'How do I ask for leave?',
    'Open the tile Leave requests, choose the days and send the request to your manager.',
    'en',
    'People',
  ],
  [
    'Where do I find the contract templates?',
    'Search the documents for contract; legal keeps them up to date.',
    'en',
    'Everyday',
  ],
  [
    'Comment obtenir un badge ?',
    'Demandez-le à l’accueil avec votre contrat (contract) de travail et une pièce d’identité.',
    'fr',
    'Everyday',
  ],
  [
    'How do I change my password?',
    'Open your profile and choose Change password; the rules are shown there.',
    'en',
    'IT',
  ],
  [
    'Wie melde ich eine Dienstreise an?',
    'Über die Kachel Dienstreisen; der Plan der Reise genügt.',
    'de',
    'Everyday',
  ],
  [
    'Who helps when my laptop does not start?',
    'IT support, by the tile IT incidents or by phone.',
    'en',
    'IT',
  ],
  [
    'Where can I store personal files?',
    'Not on company devices; the IT charter explains why.',
    'en',
    'IT',
  ],
  [
    'Can I work from abroad?',
    'For up to twenty days a year, if your contract allows it and your manager plans it.',
    'en',
    'People',
  ],
  [
    'How many days of leave may I carry over?',
    'Five, until the end of March; the leave that remains then is lost.',
    'en',
    'People',
  ],
  ['Qui valide mes congés ?', 'Votre responsable, ou la personne qui la remplace.', 'fr', 'People'],
  ['Where is my payslip?', 'Behind the tile Payslips, on the 25th of each month.', 'en', 'People'],
  [
    'Wie bekomme ich einen Parkplatz?',
    'Der Empfang führt die Warteliste; Fahrgemeinschaften gehen vor.',
    'de',
    'Everyday',
  ],
  [
    'How do I book a meeting room?',
    'Behind the tile Meeting rooms; rooms with video need a day’s notice.',
    'en',
    'Everyday',
  ],
  [
    'What does a visitor need?',
    'A name on the list of the reception, and somebody who meets the visitor there.',
    'en',
    'Everyday',
  ],
  [
    'Comment signaler un courriel suspect ?',
    'Transférez-le au support informatique, puis supprimez-le.',
    'fr',
    'IT',
  ],
  [
    'How do I connect to the VPN?',
    'Start the client on your laptop and confirm the sign-in on your phone.',
    'en',
    'IT',
  ],
  [
    'Which phones does the company pay for?',
    'Those on the list of IT support, every three years.',
    'en',
    'IT',
  ],
  [
    'Wer bestellt neue Monitore?',
    'Der IT-Support, nach einer Anfrage über die Kachel IT-Störungen.',
    'de',
    'IT',
  ],
  [
    'How do I report an accident?',
    'Tell your manager on the same day; quality files the report.',
    'en',
    'People',
  ],
  [
    'Who keeps the first-aid boxes filled?',
    'The safety officer of each floor; the plan hangs beside the lift.',
    'en',
    'Everyday',
  ],
  [
    'Quels hôtels puis-je réserver ?',
    'Ceux de la liste des voyages, jusqu’à 150 euros par nuit.',
    'fr',
    'Everyday',
  ],
  [
    'May I travel first class?',
    'On trains of more than four hours, if your manager agrees.',
    'en',
    'Everyday',
  ],
  [
    'How do I pay for a taxi?',
    'With your own card; the expense claim pays it back within two weeks.',
    'en',
    'Everyday',
  ],
  [
    'Wann wird meine Spesenabrechnung bezahlt?',
    'Mit dem nächsten Lohn, wenn sie bis zum 15. freigegeben ist.',
    'de',
    'People',
  ],
  [
    'Who approves a supplier invoice?',
    'The expense approvers; above 10,000 euros also the head of finance.',
    'en',
    'Everyday',
  ],
  [
    'How do I become a member of a project?',
    'The lead of the project adds you to its group; its tiles appear immediately.',
    'en',
    'People',
  ],
  [
    'Comment m’inscrire à une formation ?',
    'Dans le catalogue des formations, avec l’accord de votre responsable.',
    'fr',
    'People',
  ],
  [
    'When is my annual appraisal?',
    'In the month in which you joined; your manager invites you.',
    'en',
    'People',
  ],
  [
    'How do I recommend a candidate?',
    'Send the application to the hiring team; a contract earns you a bonus.',
    'en',
    'People',
  ],
  [
    'Was gilt in der Probezeit?',
    'Drei Monate, mit einem Gespräch nach der Hälfte.',
    'de',
    'People',
  ],
  [
    'How long do I keep receipts?',
    'Until the expense claim is approved; finance keeps the copies.',
    'en',
    'Everyday',
  ],
  [
    'Puis-je installer un logiciel ?',
    'Seulement ceux du catalogue ; le support examine les autres demandes.',
    'fr',
    'IT',
  ],
  [
    'How do I print on another floor?',
    'Every printer shows your documents after you hold your badge to it.',
    'en',
    'IT',
  ],
  [
    'Who orders business cards?',
    'Communication, from the name and function in your profile.',
    'en',
    'Everyday',
  ],
  [
    'What is on the canteen’s menu?',
    'The tile Canteen menu shows this week and the next.',
    'en',
    'Everyday',
  ],
  [
    'Wie melde ich mich krank?',
    'Am ersten Tag bei der Führungskraft, ab dem dritten mit Attest.',
    'de',
    'People',
  ],
  [
    'How do I use a pool car?',
    'Book it at the reception and note the mileage when you return it.',
    'en',
    'Everyday',
  ],
  [
    'Que fait le comité d’entreprise ?',
    'Il représente le personnel et reçoit le mardi matin.',
    'fr',
    'People',
  ],
  [
    'How do I tell the directory that I moved?',
    'Change the phone numbers in your profile; HR changes the organization.',
    'en',
    'People',
  ],
  [
    'Who may read customer contracts?',
    'Sales and legal; ask the owner of the contract for a copy.',
    'en',
    'Everyday',
  ],
];

export const FAQS = QUESTIONS.map(([question, answer, language, category], i) => ({
  question,
  answer,
  locale: language,
  category,
  keywords: `${category} help`,
  status: i % 31 === 13 ? 0 : 1,
}));

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

/** Telephone numbers of these cities. */
const PHONES = [
  '+33 4 65 71 0# ##',
  '+49 221 4710 ###',
  '+44 113 496 0###',
  '+41 22 555 0# ##',
  '+45 86 55 0# ##',
];

/** People whom one calls in these cities. */
const CONTACTS = [
  ['Renée Blanc', 'Luc Besnard', 'Odile Faure', 'Malik Haddad'],
  ['Jörg Süß', 'Anke Pohl', 'Dieter Lang', 'Silke Thoma'],
  ['Ann Whitby', 'Colin Barnes', 'Priya Shah', 'Graham Lowe'],
  ['Urs Frei', 'Corinne Favre', 'Beat Zumthor', 'Nadine Rochat'],
  ['Søren Holm', 'Mette Krogh', 'Lars Bruun', 'Kirsten Dahl'],
];

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
    phoneNumber: phone(PHONES[kind]!, String(100 + i)),
    address: `${1 + (i % 90)} ${['rue du Marché', 'Hauptstraße', 'High Street', 'Seeweg', 'Nørregade'][kind]!}`,
    city: CITIES[kind]!,
    country,
    webSite: `https://${host}/`,
    contactName: CONTACTS[kind]![Math.floor(i / BUSINESSES.length) % 4]!,
    status: i % 43 === 17 ? 2 : 1,
  };
});
