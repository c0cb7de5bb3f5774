import type { Locale } from '../../security/caller.js';
import { type Reason, reason } from '../../base/errors/reason.js';

export const TIMESTAMP_RULE = reason('not-a-timestamp', {
  example: '2026-11-21T14:30:00.000Z',
  offset: '+02:00',
});

const YEAR_RULE = reason('bad-year', { first: '0001', last: '9999' });

const PATTERN =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d{1,9})?(?:Z|([+-])(0\d|1[0-4]):?([0-5]\d))$/;

/**
 * The reason why a value is not a timestamp of the API (docs/api-contract.md#timestamps), or undefined. Clients
 * send from zero (Go, Java) to nine fractional digits. The year must have four digits in UTC too, as it does
 * in answers.
 */
export function validateTimestamp(value: unknown): Reason | undefined {
  const match = typeof value === 'string' ? PATTERN.exec(value) : null;
  if (!match) return TIMESTAMP_RULE;
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number) as Five;
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  // Date turns 30 February, which does not exist, into 2 March.
  if (moment.getUTCMonth() !== month - 1 || moment.getUTCDate() !== day) return TIMESTAMP_RULE;
  const [sign, hours, minutes] = match.slice(7);
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  moment.setUTCHours(hour, minute - offset);
  const yearInUtc = moment.getUTCFullYear();
  return yearInUtc >= 1 && yearInUtc <= 9999 ? undefined : YEAR_RULE;
}

type Five = [number, number, number, number, number];

/** Truncates a timestamp to the milliseconds that the database stores, without rounding. */
export const toMilliseconds = (timestamp: string): string =>
  timestamp.replace(/(\.\d{3})\d+/, '$1');

/** British English: its days stand before the months. */
const DATE_LANGUAGES: Record<Locale, string> = { en: 'en-GB', fr: 'fr-FR', de: 'de-DE' };

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * A timestamp as text for people, in their language; null stays null. A stored timestamp outside the years of
 * the API is shown as it is.
 */
export function displayTimestamp(value: unknown, locale: Locale, timeZone: string): string | null {
  if (typeof value !== 'string') return null;
  const moment = new Date(value);
  if (Number.isNaN(moment.getTime())) return value;
  const key = `${locale} ${timeZone}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(DATE_LANGUAGES[locale], {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone,
    });
    formats.set(key, format);
  }
  return format.format(moment);
}
