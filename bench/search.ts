import { parseArgs } from 'node:util';
import {
  createBenchFolder,
  inDatabase,
  removeBenchFolder,
  SYSADMIN_PASSWORD,
} from './support/bench-database.js';
import { type BenchServer, newPassword, startBenchServer } from './support/bench-server.js';
import { MARKS, NARROW_GROUP } from './support/load-data.js';
import { percentiles, printTable } from './support/table.js';
import { measureCreations, measureWrites } from './support/writes.js';

/**
 * How long a page of search takes, over HTTP on the server as shipped, with a million users and a
 * million documents: `npm run bench:search`. Options: `--rows 100000`, `--runs 100`, and `--folder`
 * to measure what an earlier run with `--keep` left.
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '100' },
    keep: { type: 'boolean', default: false },
    folder: { type: 'string' },
  },
});
const rows = Number(options.rows);
const runs = Number(options.runs);

interface Caller {
  login: string;
  token: string;
}

/** One class of searches: what is asked, drawn anew for each run. */
interface SearchClass {
  name: string;
  kind: 'Users' | 'Documents';
  caller: 'ordinary' | 'narrow' | 'many';
  texts: string[];
  field?: string;
  /** How many pages lie before the one that is measured. */
  pagesBefore?: number;
  /** Milliseconds that its p99 may take, where that is not GOAL; undefined for what has no goal. */
  goal?: number | undefined;
}

/** Milliseconds of a page at p99. */
const GOAL = 100;
/** The same for what is common and begins late in the order of titles. */
const LATE_GOAL = 250;

const NAMES = { Users: 'workplace_searchUsers', Documents: 'workplace_documents_search' };
/** Of some the first in the order has hundreds of thousands of others before it. */
const COMMON = ['martin', 'schmidt', 'consultant', 'company', 'maria'];
const COMMON_DOCUMENT = ['document', 'approval', 'paris', 'contract', 'report'];

const CLASSES: SearchClass[] = (
  [
    ['a rare word', [MARKS.rare], [MARKS.rare]],
    ['a common word', COMMON, COMMON_DOCUMENT],
    [
      'two words',
      ['martin maria', 'anna schmidt', 'björn søndergård', 'zoë müller'],
      ['contract travel', 'safety helmet', 'parking lyon', 'vertrag leeds'],
    ],
    [
      'a word that matches nothing',
      ['qqzzxxjj', 'erinanter', 'marinanne', 'sternandes'],
      ['qqzzxxjj', 'contraction', 'entering', 'reportant'],
    ],
    ['one character, common', ['a', 'e', 'n', 'r'], ['a', 'e', 'n', 'r']],
    ['one character, rare', ['#', 'ж', '~', '&'], ['#', 'ж', '~', '&']],
    ['two characters, common', ['an', 'er', 'ma', 'ch'], ['on', 'er', 're', 'st']],
    ['two characters, rare', ['qx', 'zq', 'jk', 'vw'], ['qx', 'zq', 'jk', 'vw']],
    ['an empty query', ['', '*'], ['', '*']],
    ['late in title order', [MARKS.late], [MARKS.late]],
  ] as const
).flatMap(([name, users, documents]): SearchClass[] => {
  const goal = name.startsWith('late') ? LATE_GOAL : GOAL;
  return [
    { name, kind: 'Users', caller: 'ordinary', texts: [...users], goal },
    { name, kind: 'Documents', caller: 'ordinary', texts: [...documents], goal },
  ];
});
CLASSES.push(
  {
    name: 'page 1,000, common word',
    kind: 'Users',
    caller: 'ordinary',
    texts: ['consultant'],
    pagesBefore: 999,
  },
  {
    name: 'page 1,000, common word',
    kind: 'Documents',
    caller: 'ordinary',
    texts: ['document'],
    pagesBefore: 999,
  },
  {
    name: 'page 1,000, empty query',
    kind: 'Documents',
    caller: 'ordinary',
    texts: [''],
    pagesBefore: 999,
  },
  {
    name: 'narrow audience, common word',
    kind: 'Documents',
    caller: 'narrow',
    texts: [MARKS.restricted],
  },
  { name: '30 principals, common word', kind: 'Documents', caller: 'many', texts: COMMON_DOCUMENT },
  {
    name: '30 principals, no match',
    kind: 'Documents',
    caller: 'many',
    texts: ['qqzzxxjj', 'contraction'],
  },
  {
    name: '30 principals, late',
    kind: 'Documents',
    caller: 'many',
    texts: [MARKS.late],
    goal: LATE_GOAL,
  },
  {
    name: 'field lastName, common',
    kind: 'Users',
    goal: undefined,
    caller: 'ordinary',
    field: 'lastName',
    texts: ['martin', 'schmidt'],
  },
  {
    name: 'field lastName, rare',
    kind: 'Users',
    goal: undefined,
    caller: 'ordinary',
    field: 'lastName',
    texts: [MARKS.rare],
  },
  {
    name: 'field nickName (all blank)',
    kind: 'Users',
    goal: undefined,
    caller: 'ordinary',
    field: 'nickName',
    texts: ['martin'],
  },
  {
    name: 'field DESCRIPTION, no match',
    kind: 'Users',
    goal: undefined,
    caller: 'ordinary',
    field: 'DESCRIPTION',
    texts: ['qqzzxxjj'],
  },
  {
    name: 'field ORGANIZATION.LABEL',
    kind: 'Users',
    goal: undefined,
    caller: 'ordinary',
    field: 'ORGANIZATION.LABEL',
    texts: ['qualité lyon'],
  },
  {
    name: 'field mimeType, common',
    kind: 'Documents',
    goal: undefined,
    caller: 'ordinary',
    field: 'mimeType',
    texts: ['pdf'],
  },
);

await measureCreations();
const folder = options.folder ?? (await createBenchFolder({ users: rows, documents: rows }));
try {
  await inDatabase(folder, measureWrites);
  const server = await startBenchServer(folder);
  try {
    await measureSearches(server);
  } finally {
    await server.stop();
  }
} finally {
  if (options.keep) process.stderr.write(`kept: ${folder}\n`);
  else if (options.folder === undefined) removeBenchFolder(folder);
}

async function measureSearches(server: BenchServer): Promise<void> {
  const callers = await prepareCallers(server);
  const lines: string[][] = [];
  for (const one of CLASSES) {
    const { token } = callers[one.caller];
    const page = (n: number, after?: string) => {
      const parameters = new URLSearchParams({
        searchName: NAMES[one.kind],
        searchField: one.field ?? 'quickSearch',
        query: one.texts[n % one.texts.length]!,
        ...(after === undefined ? {} : { searchIndexTop: after }),
      });
      return server.call(`/navigation/search/workplace?${parameters.toString()}`, { token });
    };
    let after: string | undefined;
    for (let n = 0; n < (one.pagesBefore ?? 0); n++) {
      const { body } = await page(0, after);
      after = (body as { searchIndexTop?: string }).searchIndexTop ?? after;
    }
    for (let n = 0; n < one.texts.length; n++) await page(n, after);
    const times: number[] = [];
    let found = 0;
    for (let n = 0; n < runs; n++) {
      const { status, body, milliseconds } = await page(n, after);
      const { type, data } = body as { type: string; data?: unknown[] };
      if (status !== 200 || type !== 'success')
        throw new Error(`${one.name}: ${JSON.stringify(body)}`);
      times.push(milliseconds);
      found += data?.length ?? 0;
    }
    const goal = 'goal' in one ? one.goal : GOAL;
    const [p50, p99, max] = percentiles(times);
    const isMet = goal === undefined ? '' : Number(p99) <= goal ? 'met' : 'MISSED';
    lines.push([
      one.kind,
      one.name,
      (found / runs).toFixed(1),
      p50,
      p99,
      max,
      String(goal ?? ''),
      isMet,
    ]);
    process.stderr.write(`${lines.at(-1)!.join(' | ')}\n`);
  }
  printTable(['search', 'class', 'records', 'p50 ms', 'p99 ms', 'max ms', 'goal', ''], lines);
}

/** People who sign in by password; who is in which group is written beside the server. */
async function prepareCallers(server: BenchServer): Promise<Record<SearchClass['caller'], Caller>> {
  const sysadmin = await server.signIn('sysadmin', SYSADMIN_PASSWORD);
  const groupIds = async (filters: string, count: number): Promise<string[]> => {
    const { body } = await server.call(
      `/api/v2/directory/groups?range=0-${count}&filters=${encodeURIComponent(filters)}`,
      { token: sysadmin },
    );
    return (body as { id: string }[]).map(({ id }) => id);
  };
  const make = async (name: string, groups: string[]): Promise<Caller> => {
    const login = `bench.${name}.${Date.now()}`;
    const password = newPassword();
    const { body } = await server.call('/api/v2/directory/users', {
      method: 'POST',
      token: sysadmin,
      body: { login, lastName: name, password },
    });
    const { id } = body as { id: string };
    for (const group of groups)
      await server.call(`/api/v2/directory/groups/${group}/members/${id}`, {
        method: 'PUT',
        token: sysadmin,
      });
    return { login, token: await server.signIn(login, password) };
  };
  return {
    ordinary: await make('ordinary', await groupIds('reference:starts:BENCH-1', 3)),
    narrow: await make('narrow', await groupIds(`reference:eq:${NARROW_GROUP}`, 1)),
    many: await make('many', await groupIds('reference:starts:BENCH-2', 28)),
  };
}
