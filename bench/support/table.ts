/** Prints a table in the format of the documentation. */
export function printTable(head: string[], lines: string[][]): void {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |\n`;
  process.stdout.write(`\n${line(head)}${line(head.map(() => '---'))}${lines.map(line).join('')}`);
}
