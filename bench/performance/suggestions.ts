import type { BenchServer } from '../support/bench-server.js';
import { gets, load, type Rounds } from './load.js';
import { atMost, type Result } from './result.js';

/** Misspelled names: a letter is wrong, missing or doubled, in one term or in both. The last is like no name. */
const MISSPELLED = [
  ...['Kellr', 'Schmitd', 'Hoffmman', 'Rousseaux', 'Zimmermanm', 'Bernrad', 'Wagmer', 'Kowalsky'],
  ...['Maira Kellr', 'Thomsa Schmitd', 'Mueler-Kochh', 'xyzzyplugh'],
];

/** Measures suggestions for misspelled names, one call after another. */
export async function suggestions(server: BenchServer, { seconds }: Rounds): Promise<Result[]> {
  const paths = MISSPELLED.map(
    (text) => `/navigation/search/workplace/suggestions?query=${encodeURIComponent(text)}`,
  );
  const measure = () => load(server.port, gets(paths, server.token), { seconds, connections: 1 });
  await measure();
  const { p50, p99, rate } = await measure();
  const more = `p50 ${p50} ms, ${rate.toFixed(0)} a second`;
  return [atMost('suggested names, p99', p99, 100, 'ms', more)];
}
