/** A title on one line: it cannot imitate another line of a mail. */
export const onOneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** The moments in a mail. English dates have the day before the month, as in the pages. */
export const momentFormat = (locale: string, timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
