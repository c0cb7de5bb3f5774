/** Offers a table as a CSV file. It loads the writer on first use. */
export async function downloadCsv(name: string, rows: string[][]): Promise<void> {
  const { writeCsv } = await import('./csv.js');
  const file = new Blob([writeCsv(rows)], { type: 'text/csv;charset=utf-8' });
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}
