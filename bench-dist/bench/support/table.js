/** p50, p99 and the maximum of times in milliseconds, as text. */
export function percentiles(times) {
    const sorted = [...times].sort((a, b) => a - b);
    const at = (part) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)].toFixed(1);
    return [at(0.5), at(0.99), at(1)];
}
/** Prints a table as the documentation shows it. */
export function printTable(head, lines) {
    const line = (cells) => `| ${cells.join(' | ')} |\n`;
    process.stdout.write(`\n${line(head)}${line(head.map(() => '---'))}${lines.map(line).join('')}`);
}
//# sourceMappingURL=table.js.map