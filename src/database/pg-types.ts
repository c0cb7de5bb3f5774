import pg from 'pg';

const TIMESTAMPTZ = pg.types.builtins.TIMESTAMPTZ;

/**
 * `2026-11-21 04:31:50.12+00` to `2026-11-21T04:31:50.120Z` (docs/api-contract.md#timestamps), as
 * text: building a Date for each timestamp of a page costs a third of the time of the page. The
 * sessions are in UTC and the columns keep milliseconds.
 */
export function formatTimestamp(text: string): string {
  const space = text.indexOf(' ');
  const zone = text.indexOf('+', space);
  const point = text.indexOf('.', space);
  const end = point < 0 ? zone : point;
  const milliseconds = text.slice(end + 1, Math.min(zone, end + 4)).padEnd(3, '0');
  return `${text.slice(0, space)}T${text.slice(space + 1, end)}.${milliseconds}Z`;
}

pg.types.setTypeParser(TIMESTAMPTZ, formatTimestamp);
