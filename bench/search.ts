import { parseArgs } from 'node:util';
import { createBenchFolder, inDatabase, removeBenchFolder } from './support/bench-database.js';
import { Agent } from 'node:http';
import { quantile } from 'simple-statistics';
import { send } from '../test/support/send.js';
import {
  type BenchServer,
  newPassword,
  request,
  startBenchServer,
  SYSADMIN,
  tokenOf,
} from './support/bench-server.js';
import { loadData, MARKS, NARROW_GROUP } from './support/load-data.js';
import { printTable } from './support/table.js';
import { measureCreations, measureWrites } from './support/writes.js';

/**
 * Measures a page of search over HTTP on the built server, with a million users, documents and tasks, and 20,000
 * tiles: `npm run bench:search`. Options: `--rows 100000`, `--tasks 100000`, `--runs 100`, `--kinds Applications,Tasks`, and
 * `--folder` to reuse the database that an earlier run kept with `--keep`.
 */
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    tasks: { type: 'string', default: '1000000' },
    kinds: { type: 'string', default: 'Users,Documents,Applications,Tasks' },
    runs: { type: 'string', default: '100' },
    keep: { type: 'boolean', default: false },
    folder: { type: 'string' },
  },
});
const rows = Number(options.rows);
const runs = Number(options.runs);
const kinds = options.kinds.split(',');

const TILES = 20_000;

interface Caller {
  login: string;
  token: string;
}

/** A class of searches; each run draws a new one. */
interface SearchClass {
  name: string;
  kind: 'Users' | 'Documents' | 'Applications' | 'Tasks';
  caller: 'ordinary' | 'narrow' | 'many' | 'german';
  texts: string[];
  field?: string;
  /** Number of pages before the measured one. */
  pagesBefore?: number;
  /** Maximum p99 in milliseconds if it differs from GOAL; undefined for a class without a goal. */
  goal?: number | undefined;
}

/** Maximum p99 of a page, in milliseconds. */
const GOAL = 100;
/** The same for common words whose matches start late in the order of titles. */
const LATE_GOAL = 250;

const NAMES = {
  Users: 'workplace_searchUsers',
  Documents: 'workplace_documents_search',
  Applications: 'workplace_searchApplications',
  Tasks: 'workplace_searchTasks',
};
/** Common words; for some of them, hundreds of thousands of rows precede the first match. */
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

for (const caller of ['ordinary', 'german'] as const)
  for (const [name, texts] of [
    ['a rare word', [MARKS.rare]],
    ['a common word', ['paris', 'contract', 'report']],
    ['a word that matches nothing', ['qqzzxxjj', 'contraction']],
    ['an empty query', ['', '*']],
  ] as const)
    CLASSES.push({
      name: `${name}, ${caller === 'german' ? 'translated' : 'untranslated'}`,
      kind: 'Applications',
      caller,
      texts: [...texts],
      goal: undefined,
    });
for (const caller of ['ordinary', 'many'] as const)
  for (const [name, texts] of [
    ['a common word', ['paris', 'contract', 'report']],
    ['a word that matches nothing', ['qqzzxxjj', 'contraction']],
    ['an empty query', ['', '*']],
  ] as const)
    CLASSES.push({
      name: `${name}, ${caller === 'many' ? '30 principals' : '5 principals'}`,
      kind: 'Tasks',
      caller,
      texts: [...texts],
      goal: undefined,
    });

if (kinds.includes('Users')) await measureCreations();
const folder =
  options.folder ??
  (await createBenchFolder((client) =>
    loadData(client, { users: rows, documents: rows, tiles: TILES, tasks: Number(options.tasks) }),
  ));
try {
  if (kinds.includes('Users')) await inDatabase(folder, measureWrites);
  const server = await startBenchServer(folder, { login: SYSADMIN });
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
  const agent = new Agent({ keepAlive: true });
  const callers = await prepareCallers(server);
  const lines: string[][] = [];
  for (const one of CLASSES.filter(({ kind }) => kinds.includes(kind))) {
    const { token } = callers[one.caller];
    const page = (n: number, after?: string) => {
      const parameters = new URLSearchParams({
        searchName: NAMES[one.kind],
        searchField: one.field ?? 'quickSearch',
        query: one.texts[n % one.texts.length]!,
        ...(after === undefined ? {} : { searchIndexTop: after }),
      });
      return send(server.port, `/navigation/search/workplace?${parameters.toString()}`, {
        token,
        agent,
      });
    };
    let after: string | undefined;
    for (let n = 0; n < (one.pagesBefore ?? 0); n++) {
      const { text } = await page(0, after);
      after = (JSON.parse(text) as { searchIndexTop?: string }).searchIndexTop ?? after;
    }
    for (let n = 0; n < one.texts.length; n++) await page(n, after);
    const times: number[] = [];
    let found = 0;
    for (let n = 0; n < runs; n++) {
      const { status, text, duration } = await page(n, after);
      const { type, data } = JSON.parse(text) as { type: string; data?: unknown[] };
      if (status !== 200 || type !== 'success') throw new Error(`${one.name}: ${text}`);
      times.push(duration);
      found += data?.length ?? 0;
    }
    const goal = 'goal' in one ? one.goal : GOAL;
    const p99 = quantile(times, 0.99);
    const isMet = goal === undefined ? '' : p99 <= goal ? 'met' : 'MISSED';
    lines.push([
      one.kind,
      one.name,
      (found / runs).toFixed(1),
      ...[quantile(times, 0.5), p99, Math.max(...times)].map((time) => time.toFixed(1)),
      String(goal ?? ''),
      isMet,
    ]);
    process.stderr.write(`${lines.at(-1)!.join(' | ')}\n`);
  }
  printTable(['search', 'class', 'records', 'p50 ms', 'p99 ms', 'max ms', 'goal', ''], lines);
}

/** People who sign in by password; their groups are stored by SQL. */
async function prepareCallers(server: BenchServer): Promise<Record<SearchClass['caller'], Caller>> {
  const { port, token } = server;
  const groupIds = async (filters: string, count: number): Promise<string[]> => {
    const path = `/api/v2/directory/groups?range=0-${count}&filters=${encodeURIComponent(filters)}`;
    const groups = JSON.parse(await request(server, path, { token })) as { id: string }[];
    return groups.map(({ id }) => id);
  };
  const make = async (name: string, groups: string[], locale = 'en'): Promise<Caller> => {
    const login = `bench.${name}.${Date.now()}`;
    const password = newPassword();
    const body = { login, lastName: name, password, locale };
    const path = '/api/v2/directory/users';
    const { id } = JSON.parse(await request(server, path, { method: 'POST', token, body })) as {
      id: string;
    };
    for (const group of groups)
      await request(server, `/api/v2/directory/groups/${group}/members/${id}`, {
        method: 'PUT',
        token,
      });
    return { login, token: await tokenOf(port, { login, password }) };
  };
  return {
    ordinary: await make('ordinary', await groupIds('reference:starts:BENCH-1', 3)),
    german: await make('german', await groupIds('reference:starts:BENCH-1', 3), 'de'),
    narrow: await make('narrow', await groupIds(`reference:eq:${NARROW_GROUP}`, 1)),
    many: await make('many', await groupIds('reference:starts:BENCH-2', 28)),
  };
}
