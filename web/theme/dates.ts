/** The BCP 47 tag of a page's language; English dates have the day before the month, as in most of the world. */
export const languageTag = (locale: string): string => (locale === 'en' ? 'en-GB' : locale);

/** Functions that show an ISO 8601 timestamp as a day (21 Nov 2026), or as a day and a time. */
export function dateFormats(locale: string) {
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(languageTag(locale), options);
    return (timestamp: string): string => format.format(new Date(timestamp));
  };
  return {
    day: formatter({ dateStyle: 'medium' }),
    moment: formatter({ dateStyle: 'medium', timeStyle: 'short' }),
  };
}
