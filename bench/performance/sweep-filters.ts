import type { Random } from '../../test/support/random.js';
import { type BenchServer, request } from '../support/bench-server.js';

/** What `GET {resource}/attributes` says of an attribute. */
export interface Described {
  name: string;
  type: string;
  sortable: boolean;
  operators: string[];
}

type Row = Record<string, unknown>;

interface Ref {
  uri: string;
  label: string;
}

interface Source {
  attributes: Described[];
  rows: Row[];
  random: Random;
}

/** The number of pages from which values are drawn, and of rows on each. */
const SAMPLED_PAGES = 40;
const SAMPLED_ROWS = 5;

/** A text that occurs nowhere, and a short one that few texts end with. */
const NOWHERE = 'qqzzxxjj';
const SELDOM_LAST = 'Jak';

const SUBSTRINGS = ['starts', 'ends', 'contains', 'notcontains'];

/** The operators of texts: filters reach the label of a linked object. */
const LABEL_OPERATORS = ['eq', 'neq', 'gt', 'lte', ...SUBSTRINGS];

/** Rows of a list from random places. */
export async function sampleRows(server: BenchServer, uri: string, random: Random): Promise<Row[]> {
  const { port, token } = server;
  const answer = await fetch(`http://127.0.0.1:${port}${uri}?range=0-1`, {
    headers: { 'X-AUTHENTICATION-KEY': token, Prefer: 'count=exact' },
  });
  await answer.arrayBuffer();
  const total = Number(answer.headers.get('x-total-count'));
  const rows: Row[] = [];
  for (let page = 0; page < SAMPLED_PAGES; page++) {
    const range = `${random.below(Math.max(1, total - SAMPLED_ROWS))}-${SAMPLED_ROWS}`;
    rows.push(...(JSON.parse(await request(server, `${uri}?range=${range}`, { token })) as Row[]));
  }
  return rows;
}

/** Filters by every attribute with each of its operators, by values that match all, many, few or no rows. */
export async function filtersOf(
  server: BenchServer,
  uri: string,
  { attributes, rows, random }: Source,
): Promise<string[]> {
  const filters: string[] = [];
  for (const { name, type, operators } of attributes) {
    const found = rows.flatMap((row) => valueIn(row[name]) ?? []);
    const codes = type === 'coded' ? await codesOf(server, uri, name) : [];
    for (const operator of operators) {
      const values = valuesFor(type, operator, { found, codes, random });
      filters.push(...values.map((value) => [name, operator, ...value].join(':')));
    }
    if (type !== 'link' || name === 'uri' || operators.length === 0) continue;
    const labels = rows.flatMap((row) => (row[name] as Ref | null)?.label ?? []);
    for (const operator of LABEL_OPERATORS)
      for (const value of valuesFor('text', operator, { found: labels, codes: [], random }))
        filters.push([`${name}.label`, operator, ...value].join(':'));
  }
  return filters;
}

/** A value as a filter writes it. */
function valueIn(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'object') return (value as Partial<Ref>).uri;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The codes of an attribute, from the message about a wrong one. */
async function codesOf(server: BenchServer, uri: string, name: string): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${uri}?filters=${name}:eq:%3F`, {
    headers: { 'X-AUTHENTICATION-KEY': server.token },
  });
  const { fields } = (await answer.json()) as { fields: { message: string }[] };
  const listed = fields[0]!.message.replace(/^.*must be /, '');
  return listed.split(/, | or /).map((code) => code.replaceAll("'", ''));
}

interface Drawing {
  found: string[];
  codes: string[];
  random: Random;
}

/** The values of an operator, each as the rest of a filter; none takes the empty rest. */
function valuesFor(type: string, operator: string, drawing: Drawing): string[][] {
  if (operator.startsWith('is')) return [[]];
  const values = type === 'text' ? textsFor(operator, drawing) : plainFor(type, drawing);
  return [...new Set(values.filter((value) => value !== ''))].map((value) => [value]);
}

function textsFor(operator: string, { found, random }: Drawing): string[] {
  const some = found.length > 0 ? random.pick(found) : NOWHERE;
  if (operator === 'eq' || operator === 'neq') return [mostFrequent(found), some, NOWHERE];
  if (!SUBSTRINGS.includes(operator)) return ['!', some, '~~~'];
  const whole = [...some].slice(0, 120);
  const letter = mostFrequent(found.flatMap((text) => [...text.toLowerCase()]));
  const from = random.below(Math.max(1, whole.length - 3));
  const piece = operator === 'starts' ? 0 : operator === 'ends' ? whole.length - 3 : from;
  return [
    letter,
    whole.slice(Math.max(0, piece)).slice(0, 3).join('').trim(),
    whole.join(''),
    SELDOM_LAST,
    NOWHERE,
  ];
}

function plainFor(type: string, { found, codes, random }: Drawing): string[] {
  const some = found.length > 0 ? [random.pick(found)] : [];
  if (type === 'coded') return codes.length > 6 ? random.sample(codes, 6) : codes;
  if (type === 'boolean') return ['true', 'false'];
  if (type === 'timestamp')
    return ['1999-01-01T00:00:00.000Z', ...some, '2099-01-01T00:00:00.000Z'];
  if (type === 'number') return ['1', ...some, '999999999'];
  const uri = some[0]?.replace(/\d+$/, '') ?? '/directory/users/';
  return [...some, mostFrequent(found), `${uri}999999999`];
}

/** The value that occurs most often; empty when there are none. */
function mostFrequent(values: string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}
