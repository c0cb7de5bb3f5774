import { type AttackClass, type Attempt, refusedWith } from './attempt.js';
import type { Target } from './target.js';
import { mutate, pairs, type Random } from '../../support/random.js';

/** Violations of every rule of the grammar of RFC 8259. */
const BROKEN = [
  ...['', ' ', '\t\n', '\ufeff', '{', '}', '[', ']', '"', ',', ':', '{]', '[}', '{{}}', '[[]'],
  ...['[,]', '[1,]', '[,1]', '[1,,2]', '[1 2]', '[1;2]', '[1:2]', '["a"', '["a",', '[1', '[1}'],
  ...['{,}', '{"a"}', '{"a":}', '{"a" 1}', '{"a":1,}', '{,"a":1}', '{"a":1,,"b":2}', '{"a"::1}'],
  ...[
    '{a:1}',
    "{'a':1}",
    '{1:1}',
    '{null:1}',
    '{[]:1}',
    '{"a":1 "b":2}',
    '{"a":1;"b":2}',
    '{"a"=1}',
  ],
  ...['nul', 'nulll', 'NULL', 'Null', 'tru', 'TRUE', 'True', 'fals', 'False', 'undefined', 'nan'],
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    '+1',
    '.5',
    '5.',
    '01',
    '-01',
    '00',
    '1e',
    '1e+',
    '1.e1',
    '-',
  ],
  ...[
    '0x1F',
    '0b1',
    '0o7',
    '1_000',
    '1,000',
    '1.2.3',
    '--1',
    '1-',
    '1e1.5',
    '١',
    '１',
    '½',
    '1f',
    '1n',
  ],
  ...[
    "'a'",
    '`a`',
    '“a”',
    '"a',
    'a"',
    '"\\',
    '"\\"',
    '"\\x41"',
    '"\\u12"',
    '"\\u12G4"',
    '"\\U0041"',
  ],
  ...[
    '"\\a"',
    '"\\0"',
    '"\\ "',
    '"a\nb"',
    '"a\tb"',
    '"a\u0001b"',
    '"a\u0000b"',
    '"a"b"',
    '"a" "b"',
  ],
  ...[
    '/**/',
    '//',
    '{}//',
    '{}/**/',
    '{/**/}',
    '{"a":1/**/}',
    '#',
    '{}#',
    '<!-- -->',
    '{}<!-- -->',
  ],
  ...[
    '{}{}',
    '[][]',
    '{} {}',
    '{},{}',
    '1 1',
    '"a","b"',
    'null null',
    '{};',
    '({})',
    '({})()',
    'x=1',
  ],
  ...[
    '{...{}}',
    '{"a":()=>1}',
    '{get a(){}}',
    '[...[]]',
    '{"a":1n}',
    'new Date()',
    '<xml/>',
    'a: 1',
  ],
  ...[
    '- a',
    '%7B%7D',
    'login=a&password=b',
    '\u2028',
    '{\u00a0}',
    '{\u3000}',
    '{\u200b}',
    '\u001f{}',
  ],
  ...[
    '{}\u0000',
    '\u0000{}',
    '[\v]',
    '[\f]',
    '{"a":\u0085 1}',
    ")]}',\n{}",
    'for(;;);{}',
    '{"a":1}]',
  ],
];

/** Bytes that are not UTF-8 (RFC 3629). */
const NO_UTF8 = [
  ...['ff', 'fe', 'c0af', 'c080', 'e08080', 'f0808080', 'eda080', 'edbfbf', 'f4908080', 'f8888080'],
  ...['80', 'bf', 'c3', 'e282', 'f09f98', 'c328', 'a0a1', 'e228a1', 'f0288cbc', 'fefffe'],
].map((hex) => Buffer.from(hex, 'hex'));

const VALID = [
  '{"title":"x","audience":[],"size":1.5e3}',
  '[{"op":"test","path":"/title","value":null}]',
  '{"login":"x","password":"y\\u0041\\n"}',
];

function isBroken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

/** Bodies that are not JSON in UTF-8. */
function brokenBodies(count: number, random: Random): Buffer[] {
  const wrapped = BROKEN.flatMap((text) => [text, `{"title":${text}}`, `[${text}]`]);
  const listed = wrapped.filter(isBroken).map((text) => Buffer.from(text));
  const bytes = NO_UTF8.flatMap((odd) => [
    odd,
    Buffer.concat([Buffer.from('{"title":"'), odd, Buffer.from('"}')]),
    Buffer.concat([Buffer.from('{"'), odd, Buffer.from('":1}')]),
  ]);
  const utf16 = VALID.flatMap((text) => [
    Buffer.from(text, 'utf16le'),
    Buffer.from(text, 'utf16le').swap16(),
  ]);
  const cut = VALID.flatMap((text) =>
    Array.from({ length: text.length - 1 }, (_, n) => text.slice(0, n + 1)),
  ).map((text) => Buffer.from(text));
  const all = random.sample([...listed, ...bytes, ...utf16, ...cut], count);
  while (all.length < count) {
    const text = mutate(mutate(random.pick(VALID), random), random);
    if (isBroken(text)) all.push(Buffer.from(text));
  }
  return all;
}

/** The four routes that accept JSON. */
const ROUTES = (target: Target, id: string): Attempt[] => [
  { method: 'POST', path: '/api/v2/content/documents', token: target.administrator },
  { method: 'PUT', path: `/api/v2/content/documents/${id}`, token: target.administrator },
  { method: 'PATCH', path: `/api/v2/content/documents/${id}`, token: target.administrator },
  { method: 'POST', path: '/api/v2/authentication' },
];

async function documentId({ query }: Target): Promise<string> {
  const [row] = await query<{ id: string }>('SELECT id::text FROM documents ORDER BY id LIMIT 1');
  return row!.id;
}

export const jsonSyntax: AttackClass = {
  id: 'A1',
  goal: 'JSON syntax: every malformed form is refused in the Error shape, on four write routes',
  size: 1_600,
  attempts: async (target, count, random) => {
    const routes = ROUTES(target, await documentId(target));
    const bodies = brokenBodies(Math.ceil(count / routes.length), random);
    return pairs(bodies, routes).map(([body, route]) => ({
      ...route,
      body,
      // A PATCH without a body has no media type either.
      judge: refusedWith(400, 413, ...(body.length === 0 ? [415] : [])),
    }));
  },
};

const nested = (depth: number, open: string, close: string, inner: string): string =>
  `{"title":${open.repeat(depth - 1)}${inner}${close.repeat(depth - 1)}}`;

/** JSON bodies that are too deep, too wide, too long, or contain absurd numbers. */
function bombs(count: number, random: Random): string[] {
  const depths = [33, 34, 40, 64, 100, 333, 1_000, 1_500, 2_500, 5_000, 8_000, 15_000, 45_000];
  const deep = depths.flatMap((depth) => [
    nested(depth, '[', ']', ''),
    nested(depth, '{"a":', '}', '1'),
    nested(depth, '[{"a":', '}]', '1'),
    nested(depth, '[', ']', '"\\ud800"'),
  ]);
  const named = (n: number): string =>
    `{${Array.from({ length: n }, (_, i) => `"k${i}":1`).join()}}`;
  const wide = [201, 500, 1_000, 10_000, 100_000].flatMap((n) => [
    named(n),
    `{"title":"x","audience":[${Array(n + 800)
      .fill('"1"')
      .join()}]}`,
    `{"title":"x","k${'y'.repeat(n)}":1}`,
    `{"title":"${'z'.repeat(n)}"}`,
  ]);
  const digits = '9'.repeat(400);
  const numbers = [
    ...['1e400', '-1e400', '1.5', '0.1', '-1', '1e-7', digits, `-${digits}`],
    ...['9007199254740993', '99999999999999999999', '1E+999999999', '-0.5', '123456789e300'],
  ].map((number) => `{"title":"x","size":${number}}`);
  const doubled = ['title', 'login', 'id', '__proto__', '\\u0074itle', ''].map(
    (name) => `{"title":"x","${name}":1,"${name}":2}`,
  );
  const strange = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then']
    .flatMap((name) => [`"${name}":{"polluted":true}`, `"${name}":null`, `"${name}":[1]`])
    .map((member) => `{"title":"x",${member}}`);
  const kinds = ['null', 'true', '1', '"x"', '[]', '[{}]', '[[]]'];
  return random.sample([...deep, ...wide, ...numbers, ...doubled, ...strange, ...kinds], count);
}

export const shapeBombs: AttackClass = {
  id: 'A2',
  goal: 'JSON shape: depth, width, names given twice, numbers beyond all bounds are refused',
  size: 400,
  attempts: async (target, count, random) => {
    const [post, put, , signIn] = ROUTES(target, await documentId(target));
    const bodies = bombs(Math.ceil(count / 3), random);
    return pairs(bodies, [post!, put!, signIn!]).map(([body, route]) => ({
      ...route,
      body,
      judge: refusedWith(400, 413),
    }));
  },
};
