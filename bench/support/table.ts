/** Prints a table as the documentation shows it. */
export function printTable(head: string[], lines: string[][]): void {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |\n`;
  process.stdout.write(`\n${line(head)}${line(head.map(() => '---'))}${lines.map(line).join('')}`);
}
