export const TIMESTAMP_RULE = 'expected a timestamp such as 2026-11-21T14:30:00.000Z or with an offset such as +02:00';
const PATTERN = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)\.(\d{3})(Z|[+-](0\d|1[0-4]):?[0-5]\d)$/;
/** Why a value is no timestamp of the API (interface: General conventions), or undefined. */
export function timestampFault(value) {
    const match = typeof value === 'string' ? PATTERN.exec(value) : null;
    if (!match)
        return TIMESTAMP_RULE;
    const [, year, month, day] = match.map(Number);
    // Date.UTC turns 30 February into 2 March; such a day does not exist.
    const date = new Date(Date.UTC(year, month - 1, day));
    const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 0;
    return exists ? undefined : TIMESTAMP_RULE;
}
const formats = new Map();
/** A timestamp of the API as text for people, in their language; null stays null. */
export function displayTimestamp(value, locale, timeZone) {
    if (typeof value !== 'string')
        return null;
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
//# sourceMappingURL=timestamps.js.map