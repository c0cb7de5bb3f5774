import { parseCidrList } from '../../base/config/parse-cidr-list.js';
import { BadPicture, decodePicture } from '../../base/pictures/decode-picture.js';
import { parseDestinations } from '../../base/config/parse-destinations.js';
import { contrastOf, HEX_COLOR } from './contrast.js';
import { MAX_PICTURE, MAX_PIXELS, pictureIn } from './picture-value.js';
import { type Reason, reason } from '../../base/errors/reason.js';
import { HOLDERS, holdersIn } from './holders.js';
import { pairsIn } from './list-value.js';

/** Types of a server parameter's value. */
export type ParameterType =
  | 'addresses'
  | 'destinations'
  | 'holders'
  | 'list'
  | 'integer'
  | 'boolean'
  | 'time'
  | 'timeZone'
  | 'name'
  | 'color'
  | 'picture';

/** The definition of a server parameter; `key` omits the vendor prefix. */
export interface ParameterDefinition {
  key: string;
  type: ParameterType;
  defaultValue: string;
  description: string;
  least?: number;
  most?: number;
  /** Of a list: one that is valid. */
  example?: string;
  /** Of a list of pairs: what each pair may begin with. */
  names?: readonly string[];
  /** For a colour: the background on which it must be legible, as `#rrggbb`. */
  background?: string;
}

/** The description of a parameter, with its bounds. */
export const describeParameter = ({ description, least, most }: ParameterDefinition): string =>
  least === undefined ? description : `${description} (${least} to ${most})`;

export const CALLER_ADDRESSES = 'security.ExternalAuthenticationAction.allowedAddresses';
export const SYSADMIN_ADDRESSES = 'security.Authentication.allowedAddresses.sysadmin';

/** The darkest light background and the lightest dark one behind accented text: `--hover` of web/theme/theme.css. */
export const LIGHT_BACKGROUND = '#f0f2f7';
export const DARK_BACKGROUND = '#242934';

/** Least contrast of text (WCAG 2.2, success criterion 1.4.3, level AA). */
const LEAST_CONTRAST = 4.5;

/** Longest name, in characters. */
const MAX_NAME = 60;

/** A time of the day, in hours and minutes. */
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const integer = (
  key: string,
  defaultValue: number,
  [least, most]: [number, number],
  description: string,
): ParameterDefinition => ({
  key,
  type: 'integer',
  defaultValue: String(defaultValue),
  description,
  least,
  most,
});
const character = (name: string, what: string): ParameterDefinition => ({
  key: `security.Password.${name}`,
  type: 'boolean',
  defaultValue: 'true',
  description: `Whether a password needs at least one ${what}`,
});

/** Every server parameter (docs/administrators.md#server-parameters). */
export const PARAMETERS = {
  callerAddresses: {
    key: CALLER_ADDRESSES,
    type: 'addresses',
    defaultValue: '127.0.0.1, ::1',
    description:
      'Addresses and networks from which the interfaces may be called; an empty list admits no address',
  },
  sysadminAddresses: {
    key: SYSADMIN_ADDRESSES,
    type: 'addresses',
    defaultValue: '127.0.0.1, ::1',
    description: 'Addresses and networks from which the system administrator account may connect',
  },
  tokenLifetime: integer(
    'security.Token.lifetime',
    3600,
    [60, 2_592_000],
    'Lifetime of a token in seconds',
  ),
  tokenLimit: integer(
    'security.Token.limit',
    10_000,
    [10, 1_000_000],
    'Valid tokens that one user may hold; beyond them a sign-in is refused until one ends',
  ),
  sessionIdle: integer(
    'security.Session.idle',
    259_200,
    [300, 7_776_000],
    'Seconds after its last renewal in which a browser stays signed in',
  ),
  sessionLifetime: integer(
    'security.Session.lifetime',
    2_592_000,
    [300, 31_536_000],
    'Seconds after its sign-in in which a browser stays signed in at most',
  ),
  lockFailures: integer(
    'security.Lock.failures',
    10,
    // Because the lock doubles, at most 100 failures fit into a day (NIST SP 800-63B section 3.2.2).
    [3, 50],
    'Wrong passwords in a row before an account is locked',
  ),
  lockDuration: integer(
    'security.Lock.duration',
    900,
    [30, 86_400],
    'Length of the first lock in seconds; each further failure doubles it, up to a day',
  ),
  throttleFailures: integer(
    'security.Throttle.failures',
    300,
    [10, 1_000_000],
    'Failed sign-ins that one address (IPv6: one /64 network) may have within the window',
  ),
  throttleWindow: integer(
    'security.Throttle.window',
    300,
    [10, 86_400],
    'Length in seconds of the window of Throttle.failures',
  ),
  throttlePortals: {
    key: 'security.Throttle.portals',
    type: 'addresses',
    defaultValue: '',
    description:
      'Addresses and networks of portals that sign in many users: they are not throttled; wrong passwords count by login alone',
  },
  writeRate: integer(
    'security.Throttle.writes',
    60,
    [10, 100_000],
    'Changes that one person may make at once, and then evenly in each minute; administrators and process engines may make any number',
  ),
  bearerAge: integer(
    'security.IdentityProvider.tokenAge',
    3600,
    [30, 86_400],
    'Seconds after its issue in which a token of the identity provider signs in',
  ),
  createUsers: {
    key: 'security.IdentityProvider.createUsers',
    type: 'boolean',
    defaultValue: 'false',
    description:
      'Whether the first sign-in at the identity provider creates a user whose login is unknown here',
  },
  updateUsers: {
    key: 'security.IdentityProvider.updateUsers',
    type: 'boolean',
    defaultValue: 'false',
    description:
      'Whether each sign-in at the identity provider updates names and e-mail address of the users that it has created',
  },
  userClaims: {
    key: 'security.IdentityProvider.claims',
    type: 'list',
    defaultValue: 'firstName=given_name; lastName=family_name; email=email; locale=locale',
    names: ['firstName', 'lastName', 'email', 'locale', 'organization'],
    example: 'lastName=family_name; organization=department',
    description:
      'Attributes of such users and the claims that give them, separated by semicolons: firstName, lastName, email, locale, organization (by its reference)',
  },
  newUserOrganization: {
    key: 'security.IdentityProvider.organization',
    type: 'name',
    most: 100,
    defaultValue: '',
    description:
      'Reference of the organization of such users, unless a claim names one; none by default',
  },
  newUserGroups: {
    key: 'security.IdentityProvider.groups',
    type: 'list',
    defaultValue: '',
    example: 'EDITORS; STAFF',
    description: 'References of the groups of new users, separated by semicolons',
  },
  groupClaim: {
    key: 'security.IdentityProvider.groupClaim',
    type: 'name',
    most: 100,
    defaultValue: '',
    description:
      'Claim with the groups of a person; each sign-in at the identity provider adds and removes the person in the groups of groupMapping. None by default',
  },
  groupMapping: {
    key: 'security.IdentityProvider.groupMapping',
    type: 'list',
    defaultValue: '',
    example: 'portal-editors=EDITORS; AUDITORS',
    description:
      'Values of groupClaim and the references of the groups that they mean, such as portal-editors=EDITORS; AUDITORS, separated by semicolons; a value alone means the group with that reference',
  },
  passwordSignIn: {
    key: 'security.Password.signIn',
    type: 'boolean',
    defaultValue: 'true',
    description:
      'Whether people sign in with passwords; false leaves that to sysadmin, and everybody else to the identity provider',
  },
  secondStepOf: {
    key: 'security.SecondStep.of',
    type: 'holders',
    defaultValue: '',
    description:
      'Who needs a second step to sign in with a password: everybody, administrator, processEngine, sysadmin, separated by commas; an empty list leaves it to each person',
  },
  passwordLength: integer(
    'security.Password.length',
    12,
    [8, 128],
    'Least number of characters of a password',
  ),
  passwordLowercase: character('lowercase', 'lowercase character'),
  passwordUppercase: character('uppercase', 'uppercase character'),
  passwordNumber: character('number', 'digit'),
  passwordSpecial: character('specialCharacter', 'non-alphanumeric character'),
  passwordHistory: integer(
    'security.Password.history',
    5,
    [0, 24],
    'Number of former passwords that may not be used again',
  ),
  // The function retention of the database has the same defaults.
  auditRetention: integer(
    'audit.retention',
    365,
    [1, 3650],
    'Days for which lines of the audit trail are kept at least; a month is deleted when all its lines are older',
  ),
  changeRetention: integer(
    'changes.retention',
    30,
    [1, 365],
    'Days for which the journal of changes is kept',
  ),
  destinations: {
    key: 'deliveries.destinations',
    type: 'destinations',
    defaultValue: '',
    description:
      'Hosts and networks to which events of tasks may be pushed, such as hooks.example.com, *.example.com, 10.20.0.0/16; an empty list stops all pushes, and inner addresses have to be in a network of the list',
  },
  deliveryRetention: integer(
    'deliveries.retention',
    30,
    [1, 365],
    'Days for which deliveries are kept after they were delivered or have failed',
  ),
  taskRetention: integer(
    'tasks.retention',
    0,
    [0, 3650],
    'Days for which closed tasks are kept, with their comments and files; 0 keeps them',
  ),
  undoWindow: integer(
    'deliveries.undoWindow',
    0,
    [0, 600],
    'Seconds for which events of decisions of people are held back, so that a decision that is undone in time is never sent; 0 sends them at once',
  ),
  fileSize: integer('tasks.files.size', 10, [1, 100], 'Most MiB of a file of a task'),
  fileCount: integer(
    'tasks.files.count',
    20,
    [0, 200],
    'Most files of a task; with 0, no user can add a file',
  ),
  fileTotal: integer(
    'tasks.files.total',
    50,
    [1, 2000],
    'Most MiB of all files of a task together',
  ),
  filesPerDay: integer(
    'tasks.files.perDay',
    500,
    [1, 1_000_000],
    'Most MiB of files that one person may send in a day (UTC), whatever became of them; administrators and process engines may send any number',
  ),
  filesStored: integer(
    'tasks.files.stored',
    102_400,
    [1, 100_000_000],
    'Most MiB of the files of all tasks together',
  ),
  keepAnswers: {
    key: 'deliveries.keepAnswers',
    type: 'boolean',
    defaultValue: 'false',
    description:
      'Whether the log of deliveries keeps the first KiB of the answers of receivers, for administrators',
  },
  mailDigest: {
    key: 'mail.digest',
    type: 'boolean',
    defaultValue: 'true',
    description:
      'Whether people with an e-mail address get a daily digest of their tasks, on a server that sends mails',
  },
  digestTime: {
    key: 'mail.digestTime',
    type: 'time',
    defaultValue: '07:00',
    description: 'Time of the day of the digest, in the time zone of display.timeZone',
  },
  mailReminders: {
    key: 'mail.reminders',
    type: 'boolean',
    defaultValue: 'true',
    description:
      'Whether people with an e-mail address are reminded of tasks that are due soon or overdue, on a server that sends mails',
  },
  mailReminderHours: integer(
    'mail.reminderHours',
    24,
    [0, 720],
    'Hours before its due date at which the assignee is reminded of a task; 0 leaves this reminder out',
  ),
  timeZone: {
    key: 'display.timeZone',
    type: 'timeZone',
    defaultValue: 'UTC',
    description: 'Time zone of displayed dates, as an IANA name',
  },
  displayName: {
    key: 'display.name',
    type: 'name',
    defaultValue: '',
    description: 'Name of the pages, in titles of tabs and in mails',
  },
  accentLight: {
    key: 'display.accent.light',
    type: 'color',
    defaultValue: '',
    background: LIGHT_BACKGROUND,
    description: 'Accent colour on light backgrounds and of buttons, such as #3350c4',
  },
  accentDark: {
    key: 'display.accent.dark',
    type: 'color',
    defaultValue: '',
    background: DARK_BACKGROUND,
    description: 'Accent colour on dark backgrounds, such as #93a8ff',
  },
  logo: {
    key: 'display.logo',
    type: 'picture',
    defaultValue: '',
    description:
      'Logo of the pages and mails: a data URL of a PNG, JPEG or WebP picture of at most 64 KiB',
  },
} as const satisfies Record<string, ParameterDefinition>;

export type ParameterName = keyof typeof PARAMETERS;

/** SQL of the time before which a retention ends: as many days ago as a parameter says; null where it is 0. */
export const retentionEnd = ({ key, defaultValue }: ParameterDefinition): string =>
  `now() - make_interval(days => nullif(coalesce((SELECT value::integer FROM parameters WHERE key = '${key}'), ${defaultValue}), 0))`;

/** The value of a parameter in the JSON type that it has in the API; the database keeps text. */
export type ParameterValue = string | number | boolean;

/** Converts a stored value to the JSON type of its parameter. */
export function typedValue(type: ParameterType, value: string): ParameterValue {
  if (type === 'integer') return Number(value);
  return type === 'boolean' ? value === 'true' : value;
}

export const TIME_ZONE_FAULT = reason('not-a-time-zone', { zone: 'Europe/Paris' });

/** The fault of a value, or undefined when it is valid for the parameter. */
export async function validateParameter(
  definition: ParameterDefinition,
  value: string,
): Promise<Reason | undefined> {
  const { type, least = 0, most = Infinity, background = LIGHT_BACKGROUND } = definition;
  if (type === 'boolean')
    return value === 'true' || value === 'false' ? undefined : reason('not-a-boolean');
  if (type === 'integer') {
    const isInBounds = /^\d{1,9}$/.test(value) && +value >= least && +value <= most;
    return isInBounds ? undefined : reason('out-of-range', { least, most });
  }
  if (type === 'destinations') return faultOfDestinations(value);
  if (type === 'holders') return faultOfHolders(value);
  if (type === 'list') return faultOfList(definition, value);
  if (type === 'time') return TIME.test(value) ? undefined : reason('not-a-time');
  if (type === 'timeZone') return timeZoneOf(value) === undefined ? TIME_ZONE_FAULT : undefined;
  if (type === 'name') return faultOfName(value, definition.most);
  if (type === 'color') return value === '' ? undefined : faultOfColor(value, background);
  if (type === 'picture') return value === '' ? undefined : faultOfPicture(value);
  const { unreadable } = parseCidrList(value);
  return unreadable.length === 0 ? undefined : reason('bad-addresses', { unreadable });
}

function faultOfDestinations(value: string): Reason | undefined {
  const { unreadable } = parseDestinations(value);
  return unreadable.length === 0 ? undefined : reason('bad-destinations', { unreadable });
}

function faultOfHolders(value: string): Reason | undefined {
  const { unknown } = holdersIn(value);
  return unknown.length === 0 ? undefined : reason('unknown-holders', { unknown, known: HOLDERS });
}

/**
 * A name of the time zone with the same meaning in Node and PostgreSQL. PostgreSQL reads `CET` and other names without
 * a place as an abbreviation with a fixed offset, so this returns the place that Node uses for it: `Europe/Brussels`.
 * @returns undefined for a text that is neither a place nor UTC
 */
export function timeZoneOf(value: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions();
    if (value.includes('/')) return value;
    return timeZone.includes('/') || timeZone === 'UTC' ? timeZone : undefined;
  } catch {
    return undefined;
  }
}

function faultOfList(
  { names, example = '' }: ParameterDefinition,
  value: string,
): Reason | undefined {
  const isBad = (parts: readonly string[]): boolean =>
    parts.some((part) => part === '' || /\p{C}/u.test(part)) ||
    names?.includes(parts[0]!) === false;
  const bad = pairsIn(value).filter(isBad);
  const unreadable = bad.map((parts) => parts.join('='));
  return bad.length === 0 ? undefined : reason('bad-list', { example, unreadable });
}

function faultOfName(value: string, max = MAX_NAME): Reason | undefined {
  if (value.length > max || /\p{C}/u.test(value)) return reason('bad-name', { max });
  return value === value.trim() ? undefined : reason('blank-at-an-end');
}

function faultOfColor(value: string, background: string): Reason | undefined {
  if (!HEX_COLOR.test(value)) return reason('not-a-color', { color: '#3350c4' });
  const contrast = contrastOf(value, background);
  if (contrast >= LEAST_CONTRAST) return undefined;
  // Rounded down, so that an insufficient contrast never reads like the minimum.
  const shown = Math.floor(contrast * 100) / 100;
  return reason('low-contrast', { contrast: shown, background, least: LEAST_CONTRAST });
}

async function faultOfPicture(value: string): Promise<Reason | undefined> {
  const picture = pictureIn(value);
  if (!picture) return reason('not-a-picture');
  const { length } = picture.content;
  if (length > MAX_PICTURE) return reason('picture-too-large', { size: length, max: MAX_PICTURE });
  try {
    // Checks more than the first bytes, because browsers and mail programs must be able to show it.
    await decodePicture(picture.content, MAX_PIXELS, (decoded) => decoded.raw());
    return undefined;
  } catch (error) {
    if (error instanceof BadPicture) return error.reason;
    throw error;
  }
}
