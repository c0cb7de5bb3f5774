import { pairs, type Random, variants } from '../../support/random.js';

const repeat = (text: string, count: number): string => text.repeat(count);

/** Strings that are known to break programs, by category. */
const NAUGHTY = [
  // Keywords of programming languages
  ...['undefined', 'null', 'NULL', 'nil', 'None', 'NaN', 'Infinity', 'true', 'false', 'yes', 'no'],
  ...['hasOwnProperty', '__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'then'],
  ...['[object Object]', 'function(){}', '()=>{}', '0', '-0', '1', '-1', '1.0', '1e308', '1e-308'],
  ...['0x0', '0b1', '0o7', '1/0', '٣', '１２３', '1,000', '1.000,5', '1_000', '9007199254740993'],
  ...[
    '99999999999999999999',
    '2147483648',
    '-9223372036854775809',
    '0.1000000000000000055',
    '½',
    '∞',
  ],
  // Punctuation
  ...['', ' ', '  ', '\t', '\n', '\r\n', ",./;'[]\\-=", '<>?:"{}|_+', '!@#$%^&*()`~', '\\', '\\\\'],
  ...[
    "'",
    '"',
    "''",
    '""',
    "'\"'",
    '`',
    '´',
    ';',
    '--',
    '/*',
    '*/',
    '#',
    '%',
    '%%',
    '_',
    '__',
    '%s%n',
  ],
  ...[
    '%d',
    '%x%x%x',
    '%00',
    '%0a',
    '%ff',
    '%u0000',
    '%E0%A4%A',
    '&amp;',
    '&#0;',
    '&',
    '=',
    '?a=b&c=d',
  ],
  ...[
    '$1',
    '$2',
    '$$',
    '$tag$x$tag$',
    ':name',
    '@p1',
    '?',
    '??',
    '{0}',
    '{}',
    '{{7*7}}',
    '${7*7}',
    '#{7*7}',
  ],
  ...[
    '<%= 7*7 %>',
    '{%x%}',
    '[[1]]',
    '(?:',
    '(a+)+$',
    '.*',
    '[a-',
    '\\d',
    '^',
    'a{99999}',
    '|',
    '*',
  ],
  // Control and invisible characters
  ...[
    '\u0001\u0002\u001f',
    '\u007f',
    '\u0080\u009f',
    '\u00a0',
    '\u00ad',
    '\u200b',
    '\u200d',
    '\u200e',
  ],
  ...[
    '\u202e\u0644',
    '\u2028',
    '\u2029',
    '\u2060',
    '\u3000',
    '\ufeff',
    '\ufffe',
    '\uffff',
    '\ufffd',
  ],
  ...[
    '\u0085',
    '\u180e',
    '\u2066a\u2069',
    '\u{e0001}',
    '\u{e0041}\u{e007f}',
    '\u061c',
    '\u115f',
    '\u3164',
  ],
  // Cases, accents, widths
  ...['ÅÍÎÏ˝ÓÔ', 'ÅÍÎÏ', 'ß', 'ẞ', 'İ', 'ı', 'ſ', 'Ǆ', 'ﬁ', 'ﬃ', 'é', 'é', 'Ω', 'Ω', 'K', 'Å'],
  ...[
    'ΣΊΣΥΦΟΣ',
    'Ⅷ',
    '①',
    '㎏',
    '㍿',
    '\ufdfa',
    '\ufdfb',
    'ｆｕｌｌ',
    'ﾊﾝ',
    'ﾞ',
    '가',
    '각',
    'ñ',
    'ĳ',
    'ŉ',
  ],
  // Scripts
  ...[
    '田中さん',
    '社會科學院',
    '사회과학원',
    'הָיְתָה',
    'الكل',
    'بِسْمِ اللَّهِ',
    'ᚠᛇᚻ',
    'ไทย',
    'हिन्दी',
    'தமிழ்',
    'ქართული',
    'Ⲁⲃ',
  ],
  ...[
    'Ｔｈｅ',
    '𝐓𝐡𝐞',
    '𝕿𝖍𝖊',
    '𝒯𝒽ℯ',
    '⒯⒣⒠',
    'ʇɥƃᴉɹ',
    'Z̮̞̠͙͔ͅḀ̗̞͈̻̗L̐',
    repeat('\u0300', 60),
    repeat('e\u0301', 40),
  ],
  // Pictures
  ...[
    '😀',
    '👩‍👩‍👧‍👦',
    '👍🏿',
    '🇺🇸',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '❤️',
    '1️⃣',
    '🤷🏽‍♂️',
    '\u{1f3fb}',
    '\ufe0f',
    '𠜎𠜱',
    '\u{10ffff}',
    '\u{fffff}',
  ],
  // Unpaired surrogates, which cannot be stored
  ...[
    '\ud800',
    '\udfff',
    'a\ud83d',
    '\ude00a',
    '\ud800\ud800',
    '\udc00\ud800',
    '\u0000',
    'a\u0000b',
  ],
  // Scripts, commands, files, formats
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '</title>',
  ],
  ...[
    '; touch /tmp/x',
    '$(touch x)',
    '`touch x`',
    '| ls',
    '&& ls',
    '> /dev/null',
    '../../etc/passwd',
  ],
  ...[
    '..\\..\\boot.ini',
    '/dev/random',
    'C:\\con',
    'con',
    'nul',
    'aux.txt',
    '~root',
    'file:///etc/passwd',
  ],
  ...[
    '=1+1',
    "=cmd|'/c calc'!A0",
    '@SUM(1)',
    '+1',
    '-1+1',
    '\t=1',
    '<?xml version="1.0"?>',
    '<![CDATA[x]]>',
  ],
  ...[
    '<!ENTITY x SYSTEM "file:///etc/passwd">',
    '(&(uid=*))',
    '*)(uid=*',
    '\r\nSet-Cookie: a=b',
    '%0d%0aX: y',
  ],
  ...[
    '{"$gt":""}',
    "{'$ne': null}",
    '[$ne]=1',
    "' or '1'='1",
    "';--",
    '1;SELECT 1',
    "admin'--",
    '\\x27',
  ],
  ...[
    'eval("1")',
    'require("fs")',
    'process.exit()',
    'import("fs")',
    '() { :; }; echo x',
    'a'.repeat(49),
  ],
  ...[
    '/directory/users/1',
    'Users¤1',
    '¤',
    '2026-02-30',
    'now',
    'infinity',
    'epoch',
    '12:61',
    'GMT+25',
  ],
  ...[
    'localhost',
    '127.0.0.1',
    '::1',
    'http://169.254.169.254/',
    '//evil.example',
    '\\\\evil\\share',
    'a@b',
  ],
];

/** Strings that are known to break programs, and small mutations of them. */
export const naughtyStrings = (count: number, random: Random): string[] =>
  variants(random.sample(NAUGHTY, count), count, random);

const CLOSERS = [
  '',
  "'",
  '"',
  '`',
  ')',
  "')",
  '")',
  "'))",
  "\\'",
  '%27',
  "''",
  '$$',
  "%'",
  '*/',
  ']',
];
const ATTACKS = [
  ...[' OR 1=1', " OR 'a'='a", ' AND 1=2', ' OR true', '||pg_sleep(6)', '; SELECT pg_sleep(6)'],
  ...['; DROP TABLE users', '; UPDATE users SET administrator=true', '; DELETE FROM tokens'],
  ...[' UNION SELECT NULL', ' UNION ALL SELECT hash FROM passwords', ' UNION SELECT 1,2,3,4,5'],
  ...[' AND (SELECT pg_sleep(6)) IS NULL', ' AND 1=(SELECT count(*) FROM users)', ' ORDER BY 99'],
  ...[
    ' GROUP BY 1 HAVING 1=1',
    ' LIMIT 1 OFFSET 1',
    "; COPY users TO '/tmp/x'",
    '; VACUUM',
    '::int',
  ],
  ...[
    ' || (SELECT version())',
    ' AND ascii(substr(current_user,1,1))>0',
    ' IN (SELECT 1)',
    ' IS NULL',
  ],
  ...[
    ' RETURNING *',
    '; SET ROLE postgres',
    "; SELECT set_config('a.b','c',false)",
    '; LISTEN x',
    '; ROLLBACK',
  ],
  ...[
    ' AND CAST(version() AS int)=1',
    ' AND 1=1/0',
    '; DO $$BEGIN END$$',
    ' FOR UPDATE',
    ', (SELECT 1)',
  ],
  ...[
    '(CASE WHEN 1=1 THEN 1 ELSE 2 END)',
    '+(SELECT 0)+',
    ' COLLATE "C"',
    ' DESC NULLS FIRST',
    " LIKE '%",
  ],
];
const TAILS = ['', ' --', '--', '/*', '#', ';', ' -- -', ';%00', " '", '\u0000'];

/** SQL injections after every way to escape from a text. */
export function injections(count: number, random: Random): string[] {
  const starts = ['', '1', 'x', 'id', 'login', '-1'];
  const all = pairs(CLOSERS, ATTACKS).flatMap(([closer, attack]) =>
    TAILS.map((tail) => `${random.pick(starts)}${closer}${attack}${tail}`),
  );
  return random.sample(all, count);
}

const TAGS = [
  'script',
  'img',
  'svg',
  'iframe',
  'body',
  'a',
  'math',
  'object',
  'style',
  'input',
  'video',
];
const EVENTS = [
  'onerror',
  'onload',
  'onclick',
  'onmouseover',
  'onfocus',
  'ontoggle',
  'onanimationstart',
];
const CODE = [
  'alert(1)',
  'alert`1`',
  "top['al'+'ert'](1)",
  'eval(name)',
  'confirm&#40;1&#41;',
  '\\u0061lert(1)',
];
const BREAKS = [
  '',
  '">',
  "'>",
  '</title>',
  '</script>',
  '</textarea>',
  '-->',
  ']]>',
  '`',
  '${',
  '{{',
  '\\";',
];

/** Markup that runs wherever it is not escaped. */
export function scripts(count: number, random: Random): string[] {
  const made = pairs(BREAKS, TAGS).flatMap(([out, tag]) =>
    EVENTS.flatMap((event) =>
      CODE.map((code) =>
        tag === 'script'
          ? `${out}<script>${code}</script>`
          : `${out}<${tag} src=x href=javascript:${code} ${event}=${code}>`,
      ),
    ),
  );
  return random.sample([...new Set(made)], count);
}

const SCHEMES = [
  'javascript:',
  'JaVaScRiPt:',
  'data:text/html,',
  'vbscript:',
  'file:///',
  'blob:',
  'about:',
  'ws://',
  'ftp://',
  'mailto:',
  'tel:',
  'intent:',
  'view-source:',
  'jar:',
];
const DISGUISES = [
  '',
  ' ',
  '\t',
  '\n',
  '\u0001',
  '\u00a0',
  '\u200b',
  '%0a',
  '/\\',
  '//',
  '\\\\',
  '/\t/',
  '\\/',
  '.',
  '@',
  '/%09/',
  'java\nscript:',
  'http:',
  'https:/',
  'http:///',
  'https://a@',
  'http://a:b@',
];

/** Addresses that no page may link to: scripts, disguised other hosts. */
export function badAddresses(count: number, random: Random): string[] {
  const made = [
    ...pairs(DISGUISES.slice(0, 10), SCHEMES).map(([front, scheme]) => `${front}${scheme}alert(1)`),
    ...pairs(DISGUISES.slice(9), ['evil.example', 'evil.example/a', '']).map(([a, b]) => a + b),
    ...SCHEMES.map((scheme) => scheme.replace(':', '\t:')),
  ].filter((text) => text !== '' && !/^\/(?![/\\])[^\\\p{C}\p{Z}]*$/u.test(text));
  return random.sample(made, count);
}

/** Control, invisible, unpaired, private-use and ambiguous characters, in three places. */
export function oddCharacters(count: number, random: Random): string[] {
  const range = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, n) => from + n);
  const codes = [
    ...range(0, 0x20),
    ...range(0x7f, 0xa0),
    ...range(0x300, 0x36f),
    ...range(0x600, 0x605),
    ...range(0x2000, 0x206f),
    ...range(0x2de0, 0x2dff),
    ...range(0xd800, 0xdfff).filter((code) => code % 37 === 0),
    ...range(0xe000, 0xe010),
    ...range(0xfb00, 0xfb4f),
    ...range(0xfdd0, 0xfdef),
    ...range(0xfe00, 0xfe0f),
    ...range(0xfff0, 0xffff),
    ...range(0x1d400, 0x1d420),
    ...range(0x1f1e6, 0x1f1ff),
    ...range(0xe0000, 0xe007f),
    ...[0x34f, 0x61c, 0x115f, 0x17b4, 0x180e, 0x3000, 0x3164, 0xfeff, 0xffa0, 0x10fffe, 0x10ffff],
  ];
  const texts = codes.flatMap((code) => {
    const character = String.fromCodePoint(code);
    return [character, `a${character}b`, `${character}a`, `a${character}${character}`];
  });
  return random.sample(texts, count);
}
