import type { Locale } from '../security/caller.js';

export const TIMESTAMP_RULE =
  'expected a timestamp such as 2026-11-21T14:30:00.000Z or with an offset such as +02:00';

const PATTERN =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d{1,9})?(Z|[+-](0\d|1[0-4]):?[0-5]\d)$/;

/**
 * Why a value is no timestamp of the API (interface: General conventions), or undefined. Clients give
 * from no digit of a fraction (Go, Java) to nine.
 */
export function timestampFault(value: unknown): string | undefined {
  const match = typeof value === 'string' ? PATTERN.exec(value) : null;
  if (!match) return TIMESTAMP_RULE;
  const [, year, month, day] = match.map(Number) as [number, number, number, number];
  // Date.UTC turns 30 February into 2 March; such a day does not exist.
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 0;
  return exists ? undefined : TIMESTAMP_RULE;
}

/** A timestamp to the millisecond, which is what is kept; more digits are cut off, not rounded. */
export const toMilliseconds = (timestamp: string): string =>
  timestamp.replace(/(\.\d{3})\d+/, '$1');

const formats = new Map<string, Intl.DateTimeFormat>();

/** A timestamp of the API as text for people, in their language; null stays null. */
export function displayTimestamp(value: unknown, locale: Locale, timeZone: string): string | null {
  if (typeof value !== 'string') return null;
  const key = `${locale} ${timeZone}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale === 'fr' ? 'fr-FR' : 'en-GB', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone,
    });
    formats.set(key, format);
  }
  return format.format(new Date(value));
}
