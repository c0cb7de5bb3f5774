import { FilterParser } from 'ldapts';
import { type Reason, reason } from '../base/errors/reason.js';
import { faultOfText, type Fault } from '../base/validation/class-validation.js';
import { JsonAttribute } from '../resources/attributes/json-attribute.js';
import { atLeast, flag, listOf, textOrNull, texts } from '../resources/openapi/schemas.js';

/** How a provider of the kind `ldap` is read (docs/ldap.md). */
export interface LdapSettings {
  /** Servers with the same data, in the order in which they are tried. */
  urls: string[];
  startTls: boolean;
  /** Whether the directory checks the passwords of its people, and nothing else does. */
  signIn: boolean;
  /** The authorities that sign the certificates of the servers, as PEM; by default those of Node.js. */
  certificates: string | null;
  bindDn: string | null;
  schema: LdapSchema;
  peopleBase: string;
  peopleFilter: string;
  /** Null: only people are kept. */
  groupsBase: string | null;
  groupsFilter: string;
  pageSize: number;
  /** Their attribute by ours; an empty one gives none. The schema gives the others. */
  mapping: Mapping;
  /** Whether an account of the same login that nobody manages becomes one of the provider. */
  takesOver: boolean;
  /** More people than this, or more percent of them, are never deactivated at once. */
  brakeCount: number;
  brakePercent: number;
  /** Days after which a missing person is deleted. */
  graceDays: number;
  /** Minutes between two runs by the server; null for none. */
  intervalMinutes: number | null;
  /** Whether these runs read everything, so that they also find who was deleted, instead of changes alone. */
  intervalFull: boolean;
  /** When the server reads everything, in the time zone of the server parameters; null for never. */
  nightlyAt: string | null;
}

export type LdapSchema = 'openldap' | 'active-directory';

const MAPPED = [
  ...['key', 'login', 'firstName', 'lastName', 'title', 'email', 'phoneNumber'],
  ...['mobilePhoneNumber', 'userFunction', 'locale', 'organization', 'manager', 'groupLabel'],
  'photo',
] as const;

/** What is read of an entry: attributes of a user, the key, and the label of a group. */
export type Mapped = (typeof MAPPED)[number];
export type Mapping = Partial<Record<Mapped, string>>;

const INET_ORG_PERSON: Mapping = {
  key: 'entryUUID',
  login: 'uid',
  firstName: 'givenName',
  lastName: 'sn',
  title: 'displayName',
  email: 'mail',
  phoneNumber: 'telephoneNumber',
  mobilePhoneNumber: 'mobile',
  userFunction: 'title',
  manager: 'manager',
  groupLabel: 'cn',
};

const DEFAULT_MAPPING: Record<LdapSchema, Mapping> = {
  openldap: INET_ORG_PERSON,
  'active-directory': { ...INET_ORG_PERSON, key: 'objectGUID', login: 'sAMAccountName' },
};

/** The filters of a schema. Those of Active Directory find no computers. */
const FILTERS: Record<LdapSchema, { peopleFilter: string; groupsFilter: string }> = {
  openldap: {
    peopleFilter: '(objectClass=inetOrgPerson)',
    groupsFilter:
      '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=posixGroup))',
  },
  'active-directory': {
    peopleFilter: '(&(objectCategory=person)(objectClass=user))',
    groupsFilter: '(objectClass=group)',
  },
};

/** Attributes that hold a secret, or its hash: no mapping names them, and no test shows them. */
const SECRET =
  /passw|pwd|secret|credential|pkcs12|privatekey|principalkey|hash|otp|token|apikey|responseset/i;

/** Whether the values of an attribute must not be shown. */
export const isSecret = (attribute: string): boolean => SECRET.test(attribute);

/** The mapping of a provider, with the defaults of its schema. */
export function mappingOf({ schema, mapping }: LdapSettings): Mapping {
  const all = Object.entries({ ...DEFAULT_MAPPING[schema], ...mapping });
  return Object.fromEntries(all.filter(([, theirs]) => theirs !== ''));
}

const NUMBERS = {
  pageSize: { least: 1, most: 5_000, default: 500 },
  brakeCount: { least: 0, most: 1_000_000, default: 1_000 },
  brakePercent: { least: 0, most: 100, default: 20 },
  graceDays: { least: 1, most: 3_650, default: 30 },
  intervalMinutes: { least: 1, most: 10_080, default: null },
};
const MAX_URLS = 5;
const MAX_TEXT = 1_000;
const MAX_CERTIFICATES = 20_000;
/** A time of the day. */
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const TEXTS = ['bindDn', 'peopleBase', 'peopleFilter', 'groupsBase', 'groupsFilter'] as const;
const FLAGS = ['startTls', 'takesOver', 'signIn', 'intervalFull'] as const;
const SCHEMAS = Object.keys(DEFAULT_MAPPING);

const optionalText = { type: ['string', 'null'], maxLength: MAX_TEXT };
const optionalFlag = { type: ['boolean', 'null'] };
const PROPERTIES: Record<string, object> = {
  urls: {
    type: 'array',
    minItems: 1,
    maxItems: MAX_URLS,
    items: { type: 'string', maxLength: MAX_TEXT },
  },
  certificates: { type: ['string', 'null'], maxLength: MAX_CERTIFICATES },
  schema: { type: ['string', 'null'], enum: [...SCHEMAS, null] },
  mapping: {
    type: ['object', 'null'],
    properties: Object.fromEntries(MAPPED.map((name) => [name, optionalText])),
    additionalProperties: false,
  },
  ...Object.fromEntries(TEXTS.map((name) => [name, optionalText])),
  peopleBase: { type: 'string', maxLength: MAX_TEXT },
  nightlyAt: { type: ['string', 'null'], pattern: TIME.source },
  ...Object.fromEntries(FLAGS.map((name) => [name, optionalFlag])),
  ...Object.fromEntries(
    Object.entries(NUMBERS).map(([name, { least, most }]) => [
      name,
      { type: ['integer', 'null'], minimum: least, maximum: most },
    ]),
  ),
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function isUrl(text: unknown): boolean {
  if (typeof text !== 'string' || text.length > MAX_TEXT || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(text);
  const rest = [username, password, pathname.replace(/^\/$/, ''), search, hash].join('');
  return ['ldap:', 'ldaps:'].includes(protocol) && hostname !== '' && rest === '';
}

/** A URL in one spelling, by which its scheme is compared. */
function plainUrl(text: string): string {
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}

function isFilter(text: string): boolean {
  try {
    FilterParser.parseString(text);
    return true;
  } catch {
    return false;
  }
}

const faultOf: Fault = (value): Reason | undefined => {
  const members = Object.keys(PROPERTIES);
  if (!isObject(value) || Object.keys(value).some((name) => !members.includes(name)))
    return reason('bad-members', { members: members.join(', ') });
  const { urls, mapping, schema, certificates } = value;
  if (!Array.isArray(urls) || urls.length === 0 || urls.length > MAX_URLS || !urls.every(isUrl))
    return reason('not-ldap-urls', { max: MAX_URLS }).at({ member: 'urls' });
  if (!isGiven(value.peopleBase)) return reason('required').at({ member: 'peopleBase' });
  for (const [name, max] of [
    ...TEXTS.map((text) => [text, MAX_TEXT] as const),
    ['certificates', MAX_CERTIFICATES] as const,
  ]) {
    const fault = isGiven(value[name]) ? faultOfText(value[name], max) : undefined;
    if (fault !== undefined) return fault.at({ member: name });
  }
  for (const member of ['peopleFilter', 'groupsFilter'])
    if (isGiven(value[member]) && !isFilter(value[member] as string))
      return reason('not-an-ldap-filter').at({ member });
  if (isGiven(certificates) && !/-----BEGIN CERTIFICATE-----/.test(certificates as string))
    return reason('bad-members', { members: 'a certificate in PEM' }).at({
      member: 'certificates',
    });
  if (isGiven(schema) && !SCHEMAS.includes(schema as string))
    return reason('not-one-of', { choices: SCHEMAS }).at({ member: 'schema' });
  for (const member of FLAGS)
    if (isGiven(value[member]) && typeof value[member] !== 'boolean')
      return reason('bad-flags', { members: FLAGS.join(', ') });
  for (const [member, { least, most }] of Object.entries(NUMBERS)) {
    const given = value[member];
    if (isGiven(given) && !(Number.isInteger(given) && +given! >= least && +given! <= most))
      return reason('out-of-range', { least, most }).at({ member });
  }
  const { nightlyAt } = value;
  if (isGiven(nightlyAt) && !(typeof nightlyAt === 'string' && TIME.test(nightlyAt)))
    return reason('not-a-time').at({ member: 'nightlyAt' });
  if (!isGiven(mapping)) return undefined;
  const isMapping =
    isObject(mapping) &&
    Object.entries(mapping).every(
      ([ours, theirs]) =>
        MAPPED.includes(ours as Mapped) &&
        // A name without options (RFC 4512 section 1.4): an OID would not say what is a secret.
        (theirs === null ||
          (typeof theirs === 'string' &&
            !isSecret(theirs) &&
            /^([A-Za-z][A-Za-z0-9-]*)?$/.test(theirs))),
    );
  if (isMapping) return undefined;
  return reason('bad-members', { members: MAPPED.join(', ') }).at({ member: 'mapping' });
};

function normalize(value: unknown): LdapSettings {
  const given = Object.fromEntries(
    Object.entries(value as object).filter(([, one]) => one !== null),
  ) as Partial<LdapSettings>;
  const schema = given.schema ?? 'openldap';
  const mapping = Object.entries(given.mapping ?? {}).map(([ours, theirs]) => [ours, theirs ?? '']);
  return {
    startTls: false,
    certificates: null,
    bindDn: null,
    groupsBase: null,
    nightlyAt: null,
    takesOver: false,
    signIn: false,
    intervalFull: false,
    ...FILTERS[schema],
    ...(Object.fromEntries(
      Object.entries(NUMBERS).map(([name, number]) => [name, number.default]),
    ) as Pick<LdapSettings, keyof typeof NUMBERS>),
    ...(given as Pick<LdapSettings, 'peopleBase'>),
    urls: given.urls!.map(plainUrl),
    schema,
    mapping: Object.fromEntries(mapping) as Mapping,
  };
}

const whole = { type: 'integer' };

/** The attribute `ldap` of providers: null for those of another kind. */
export const ldapSettings = () =>
  new JsonAttribute({
    maxKiB: 48,
    fault: faultOf,
    normalize,
    schema: {
      type: 'object',
      required: ['urls', 'peopleBase'],
      properties: PROPERTIES,
      additionalProperties: false,
    },
    answer: atLeast({
      urls: listOf({ type: 'string' }),
      ...texts('schema', 'peopleBase', 'peopleFilter', 'groupsFilter'),
      ...{
        bindDn: textOrNull,
        groupsBase: textOrNull,
        certificates: textOrNull,
        nightlyAt: textOrNull,
      },
      ...{ startTls: flag, takesOver: flag, signIn: flag, intervalFull: flag },
      mapping: { type: 'object' },
      ...Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, whole])),
      intervalMinutes: { type: ['integer', 'null'] },
    }),
  });
