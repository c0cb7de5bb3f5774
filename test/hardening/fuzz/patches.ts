import { type AttackClass, type Attempt, bodyOf, LANES, type Later } from './attempt.js';
import type { Random } from '../../support/random.js';

/**
 * A second implementation of RFC 6902 and RFC 6901, written from their texts only for this comparison:
 * without a library, on plain JSON.
 */
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Operation = { op: string; path: string; from?: string; value?: Json };

/** The expected result of a patch. */
type Expected = { status: 400 | 409 | 413 } | { status: 200; document: Json };

class Refused extends Error {
  constructor(readonly status: 400 | 409) {
    super();
  }
}
const no = (status: 400 | 409 = 400): never => {
  throw new Refused(status);
};

function tokens(pointer: string): string[] {
  if (pointer !== '' && !pointer.startsWith('/')) no();
  return pointer
    .split('/')
    .slice(1)
    .map((token) => {
      if (/~(?![01])/.test(token)) no();
      return token.replace(/~1/g, '/').replace(/~0/g, '~');
    });
}

function read(value: Json, path: string[]): Json {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (Array.isArray(value))
    return /^(0|[1-9][0-9]*)$/.test(head) && Number(head) < value.length
      ? read(value[Number(head)]!, rest)
      : no();
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, head)) return no();
  return read(value[head]!, rest);
}

/** Returns a copy with the value at a path set, inserted or removed. */
function write(value: Json, path: string[], how: 'add' | 'remove', what: Json): Json {
  const [head, ...rest] = path;
  if (head === undefined) return how === 'add' ? what : no();
  if (Array.isArray(value)) {
    const last = rest.length === 0;
    const index = head === '-' && last && how === 'add' ? value.length : Number(head);
    if (head !== '-' && !/^(0|[1-9][0-9]*)$/.test(head)) no();
    if (head === '-' && !(last && how === 'add')) no();
    if (index > value.length || (index === value.length && !(last && how === 'add'))) no();
    if (!last) return value.map((item, i) => (i === index ? write(item, rest, how, what) : item));
    const added = how === 'add' ? [what] : [];
    return [...value.slice(0, index), ...added, ...value.slice(how === 'add' ? index : index + 1)];
  }
  if (typeof value !== 'object' || value === null) return no();
  if (rest.length > 0) {
    if (!Object.hasOwn(value, head)) no();
    return { ...value, [head]: write(value[head]!, rest, how, what) };
  }
  if (how === 'add') return { ...value, [head]: what };
  if (!Object.hasOwn(value, head)) no();
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== head));
}

function equal(a: Json, b: Json): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    left.length === right.length &&
    left.every(([name, value]) => Object.hasOwn(b, name) && equal(value, (b as never)[name]))
  );
}

function applied(document: Json, { op, path, from, value }: Operation): Json {
  const to = tokens(path);
  const source = from === undefined ? [] : tokens(from);
  switch (op) {
    case 'add':
      return value === undefined ? no() : write(document, to, 'add', value);
    case 'remove':
      read(document, to);
      return write(document, to, 'remove', null);
    case 'replace': {
      if (value === undefined) no();
      read(document, to);
      if (to.length === 0) return value!;
      const parent = read(document, to.slice(0, -1));
      return Array.isArray(parent)
        ? write(write(document, to, 'remove', null), to, 'add', value!)
        : write(document, to, 'add', value!);
    }
    case 'move': {
      const moved = from === undefined ? no() : read(document, source);
      if (path.startsWith(`${from}/`)) no();
      return write(write(document, source, 'remove', null), to, 'add', moved);
    }
    case 'copy':
      return write(document, to, 'add', from === undefined ? no() : read(document, source));
    case 'test':
      return value !== undefined && equal(read(document, to), value) ? document : no(409);
    default:
      return no();
  }
}

/** Attributes that a view may show and sort by; every text of a patch is one of them and therefore valid. */
const NAMES = ['title', 'priority', 'dueDate', 'status', 'creationDate'];
const MOST_COLUMNS = 50;

interface ViewDocument {
  label: Json;
  columns: Json;
  sorter: Json;
}
const isName = (value: Json): boolean => typeof value === 'string' && NAMES.includes(value);

/** The expected result of a patched document: the validation of the three attributes in a PUT. */
function validated(document: Json): Expected {
  const { label = null, columns = null, sorter = null } = document as unknown as ViewDocument;
  const fits =
    isName(label) &&
    (columns === null ||
      (Array.isArray(columns) && columns.length <= MOST_COLUMNS && columns.every(isName))) &&
    (sorter === null || sorter === '' || isName(sorter));
  return fits
    ? { status: 200, document: { label, columns: columns ?? [], sorter } }
    : { status: 400 };
}

/** Attributes that a patch may change; the others of the document are unknown or read-only. */
const TOUCHED = ['label', 'columns', 'sorter'];

/** The server rejects locations below a text before it applies anything; a list of texts has one level. */
const isTooDeep = ([name, ...below]: string[]): boolean =>
  below.length > (name === 'columns' ? 1 : 0);

function expectedOf(document: Json, patch: Operation[]): Expected {
  try {
    let result = document;
    for (const operation of patch) {
      const { path, from = '' } = operation;
      if ([path, from].map(tokens).some(isTooDeep)) no();
    }
    for (const operation of patch) {
      const [first] = tokens(operation.path);
      const [source] = operation.op === 'move' ? tokens(operation.from!) : [];
      for (const name of operation.op === 'test' ? [] : [first, source])
        if (name !== undefined && !TOUCHED.includes(name)) no();
    }
    for (const operation of patch) result = applied(result, operation);
    return validated(result);
  } catch (error) {
    if (error instanceof Refused) return { status: error.status };
    throw error;
  }
}

const INDEXES = ['0', '1', '2', '3', '4', '5', '-', '00', '01', '-1', '1e0', 'length', 'a'];

function randomPointer(random: Random): string {
  const plain = ['/label', '/columns', '/sorter'];
  if (random.next() < 0.55) return `/columns/${random.pick(INDEXES.slice(0, 7))}`;
  if (random.next() < 0.6) return random.pick(plain);
  return random.pick([
    `/columns/${random.pick(INDEXES)}`,
    `/label/${random.pick(INDEXES)}`,
    ...['label', '/~', '/label~2', '//', '/columns/', '/Label', '/nothing', '/columns/0/0'],
    ...['/columns/~1', '/columns/~01', '/toString', '/columns/99999999999'],
  ]);
}

function randomOperation(random: Random): Operation {
  const op = random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'add', 'replace']);
  const operation: Operation = { op, path: randomPointer(random) };
  if (op === 'move' || op === 'copy') operation.from = randomPointer(random);
  else if (op !== 'remove')
    operation.value =
      random.next() < 0.85
        ? random.pick(NAMES)
        : random.pick<Json>([null, [], ['title'], {}, '', 0, ['title', 'status'], [null]]);
  return operation;
}

interface Target {
  path: string;
  id: string;
  document: Json;
  xmin: string;
}

export const jsonPatch: AttackClass = {
  id: 'A3',
  goal: 'JSON Patch: random patches end as a second implementation says; a failing one leaves xmin',
  size: 5_000,
  writes: ['views'],
  attempts: async (target, count, random) => {
    const state = async (id: string): Promise<string> =>
      (
        await target.query<{ state: string }>(
          `SELECT xmin || ' ' || t::text AS state FROM views t WHERE id = $1`,
          [id],
        )
      )[0]!.state;
    const token = target.administrator;
    const targets: Target[] = [];
    for (let lane = 0; lane < LANES; lane++) {
      const body = JSON.stringify({ label: 'title', application: '1', columns: NAMES.slice(0, 3) });
      const made = await target.send('/api/v2/process/views', { method: 'POST', token, body });
      const { id } = bodyOf<{ id: string }>(made);
      const document = { label: 'title', columns: NAMES.slice(0, 3), sorter: null };
      targets.push({ path: `/api/v2/process/views/${id}`, id, document, xmin: await state(id) });
    }
    const attempt = (target: Target, patch: Operation[]): Attempt => ({
      path: target.path,
      method: 'PATCH',
      token,
      body: JSON.stringify(patch),
      judge: async (answer) => {
        const expected = expectedOf(target.document, patch);
        if (answer.status !== expected.status)
          return `status ${answer.status}, expected ${expected.status} on ${JSON.stringify(target.document)}`;
        if (expected.status === 200) {
          const { label, columns, sorter } = bodyOf<Record<string, Json>>(answer) as never;
          const is: Json = { label, columns, sorter };
          if (!equal(is, expected.document))
            return `became ${JSON.stringify(is)}, expected ${JSON.stringify(expected.document)}`;
          target.document = is;
        }
        const now = await state(target.id);
        if (expected.status !== 200 && now !== target.xmin) return 'the row changed';
        target.xmin = now;
        return undefined;
      },
    });
    return Array.from({ length: count }, (_, n): Later => {
      const length = 1 + random.below(4);
      const patch = Array.from({ length }, () => randomOperation(random));
      // Occasionally a long list, and its end.
      if (random.next() < 0.02) patch.push({ op: 'replace', path: '/columns', value: ['title'] });
      return () => attempt(targets[n % LANES]!, patch);
    });
  },
  after: async ({ query }) => {
    await query(`DELETE FROM views WHERE label = ANY ($1) AND id > 0`, [NAMES]);
    return { wrong: [] };
  },
};
