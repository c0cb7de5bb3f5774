import { type BenchServer, newPassword, request, tokenOf } from '../support/bench-server.js';
import { compareAlternately, gets, load, type Rounds } from './load.js';
import { ratioResult, type Result } from './result.js';
import * as workloads from './workloads.js';

/** A page may take a confined role 1.3 times as long as an administrator. */
const GOAL = 1 / 1.3;

/** Compares the lists of users of a people administrator of one organization with those of an administrator. */
export async function confinedReads(
  server: BenchServer,
  { seconds, pairs }: Rounds,
): Promise<Result[]> {
  const token = await peopleAdministrator(server);
  const results: Result[] = [];
  const searches = {
    'search, page of 20': workloads.searchPath('mar'),
    'by a filter': `${workloads.PAGE}&${workloads.FILTERS[0]}`,
  };
  for (const [work, path] of Object.entries({ ...workloads.LIST_READS, ...searches })) {
    const comparison = await compareAlternately(
      {
        ours: () => load(server.port, gets([path], token), { seconds }),
        other: () => load(server.port, gets([path], server.token), { seconds }),
      },
      pairs,
    );
    const name = `${work}, people administrator of one organization`;
    results.push(ratioResult(name, 'an administrator', GOAL, comparison));
  }
  return results;
}

/** The token of a person whose role is confined to the first organization below the root. */
async function peopleAdministrator(server: BenchServer): Promise<string> {
  const password = newPassword();
  const person = { login: `people.${password.slice(-6)}`, password };
  const post = (path: string, body: object) =>
    request(server, path, { method: 'POST', token: server.token, body });
  await post(workloads.USERS, { ...person, lastName: 'Administrator' });
  await post('/api/v2/directory/role-assignments', {
    ...{ user: person.login, role: 'people-administrator', organization: 'BENCH-1-1' },
  });
  return tokenOf(server.port, person);
}
