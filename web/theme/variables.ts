/** A flat object; a list of them is a table. */
export type Row = Record<string, unknown>;

const ISO_DAY = /^\d{4}-\d\d-\d\d$/;
const ISO_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const WEB_ADDRESS = /^https?:\/\/\S+$/;

/** Whether the calendar has a day: `Date` takes 30 February for 2 March. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00Z`);
  return !isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** A number with all its digits; the default format would round to three decimals. */
export const numberText = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 20 }).format(value);

/** The kind of a text variable, because an engine also sends days, moments and addresses as texts. */
export function kindOfText(text: string): 'day' | 'moment' | 'address' | 'text' {
  if (ISO_DAY.test(text) && isDay(text)) return 'day';
  if (ISO_MOMENT.test(text) && isDay(text.slice(0, 10)) && !isNaN(Date.parse(text)))
    return 'moment';
  return WEB_ADDRESS.test(text) ? 'address' : 'text';
}

export const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

const isRow = (value: unknown): boolean =>
  !isPlain(value) &&
  !Array.isArray(value) &&
  Object.keys(value as Row).length > 0 &&
  Object.values(value as Row).every(isPlain);

/** Whether a variable is a list of flat objects. */
export const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => isRow(row));

/**
 * The columns of a table, texts first: the database does not keep their order, and texts explain the numbers beside
 * them.
 */
export function columnsOf(rows: Row[]): string[] {
  const isNumeric = (name: string) => Number(rows.some((row) => typeof row[name] === 'number'));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.sort((a, b) => isNumeric(a) - isNumeric(b));
}
