import pg from 'pg';
const TIMESTAMPTZ = pg.types.builtins.TIMESTAMPTZ;
/**
 * `2026-11-21 04:31:50.12+00` to `2026-11-21T04:31:50.120Z` (interface: General conventions), as
 * text: building a Date for each timestamp of a page costs a third of the time of the page. The
 * sessions are in UTC and the columns keep milliseconds.
 */
export function formatTimestamp(text) {
    const [date, rest = ''] = text.split(' ');
    const time = rest.slice(0, rest.indexOf('+'));
    const [seconds, fraction = ''] = time.split('.');
    return `${date}T${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}
pg.types.setTypeParser(TIMESTAMPTZ, formatTimestamp);
//# sourceMappingURL=pg-types.js.map