/** Cells that a spreadsheet would run as a formula (OWASP, CSV injection). */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const ESCAPED_FORMULA = /^'(?='*[=+\-@\t\r\n＝＋－＠])/;

/** Prefixes a cell that a spreadsheet would run with an apostrophe; a whole number is no formula. */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) && !/^-?\d+$/.test(cell) ? `'${cell}` : cell;
}

/** Removes the apostrophe that `escapeFormula` adds. */
export const unescapeFormula = (cell: string): string => cell.replace(ESCAPED_FORMULA, '');
