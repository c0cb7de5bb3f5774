import { deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { type AttackClass, type Attempt, refusedWith, type Reply } from './attempt.js';
import type { Target } from './target.js';
import { pairs, type Random } from '../../support/random.js';

const UP = [
  '..',
  '%2e%2e',
  '.%2e',
  '%2e.',
  '%252e%252e',
  '..%00',
  '....',
  '%c0%ae%c0%ae',
  '..;',
  '%uff0e%uff0e',
  '...',
  '．．',
];
const SLASH = ['/', '%2f', '%5c', '\\', '%252f', '//', '/./', '%c0%af', '%2f%2f', '/%09/'];
const GOALS = [
  'etc/passwd',
  'package.json',
  '.git/config',
  '.env',
  'node_modules/pg/package.json',
  'dist/src/main.js',
  'proc/self/environ',
  'windows/win.ini',
];
const ROOTS = [
  ...[
    '/',
    '/api/',
    '/api/v2/',
    '/api/v2/directory/users/',
    '/navigation/directory/users/1/',
    '/workplace/',
    '/console/',
    '/assets/',
  ],
  ...[
    '/api/v2/directory/users/1/photo/',
    '/navigation/workplace/',
    '/static/',
    '/api/v2/administration/parameters/',
  ],
];

const traversals = (count: number, random: Random): string[] =>
  random
    .sample(pairs(pairs(UP, SLASH), pairs(ROOTS, GOALS)), count)
    .map(
      ([[up, slash], [root, goal]]) =>
        `${root}${`${up}${slash}`.repeat(1 + random.below(6))}${goal}`,
    )
    .map((path) => path.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character)));

/** Every path below the address of a page serves that page, which routes in the browser. */
const isPage = ({ status, headers, text }: Reply): boolean =>
  status === 200 &&
  headers['content-type'] === 'text/html; charset=utf-8' &&
  /<base href="\/(workplace|console)\/"/.test(text);

const SCRIPT = '<script>alert(document.domain)</script>';
const PHP = '<?php system($_GET[0]); ?>';

/** A PNG of these chunks, without checksums. */
function png(width: number, height: number, ...more: [string, Buffer][]): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const parts = [chunk('IHDR', header), ...more.map(([name, data]) => chunk(name, data))];
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    ...parts,
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Files that are not pictures. */
const NO_PICTURES = [
  ...[
    '',
    'x',
    SCRIPT,
    PHP,
    `GIF89a/*${SCRIPT}*/=1;`,
    '%PDF-1.7',
    '<?xml version="1.0"?><svg/>',
    'PK\u0003\u0004',
    'BM',
    'MZ',
    '#!/bin/sh\nid',
  ],
  `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`,
  `<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>`,
  '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
  'push graphic-context\nimage over 0,0 0,0 \'https://evil.example/"|ls "\'',
  '%!PS\nuserdict /setpagedevice undef',
  'RIFF\u0000\u0000\u0000\u0000WEBPVP8 ',
  'II*\u0000\u0008\u0000\u0000\u0000',
  '\u00ff\u00d8\u00ff\u00e0',
  '\u0089PNG\r\n\u001a\n',
].map((text) => Buffer.from(text, 'latin1'));

interface Upload {
  file: Buffer;
  type?: string;
  statuses: number[];
}

/** Pictures that hide data, declare excessive sizes, or are broken. */
async function uploads(random: Random): Promise<Upload[]> {
  const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: '#369' } });
  const of = (format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif'): Promise<Buffer> =>
    picture
      .clone()
      .withMetadata({ exif: { IFD0: { Artist: SCRIPT, Copyright: PHP } } })
      .toFormat(format)
      .toBuffer();
  const [jpeg, pngFile, webp] = [await of('jpeg'), await of('png'), await of('webp')];
  const others = await Promise.all((['gif', 'tiff', 'avif'] as const).map(of));
  const wide = await sharp({
    create: { width: 7_000, height: 7_000, channels: 3, background: 'red' },
  })
    .png()
    .toBuffer();
  const behind = [SCRIPT, PHP, 'PK\u0003\u0004zip', '%PDF-1.7'].map((text) => Buffer.from(text));
  const hidden = [jpeg, pngFile, webp].flatMap((file) =>
    behind.map((tail) => Buffer.concat([file, tail])),
  );
  const cut = [jpeg, pngFile, webp].flatMap((file) =>
    [0.2, 0.5].map((share) => file.subarray(0, file.length * share)),
  );
  const damaged = [jpeg, pngFile, webp].flatMap((file) =>
    [1, 2, 3].map(() => {
      const copy = Buffer.from(file);
      for (let n = 0; n < 20; n++) copy[20 + random.below(copy.length - 20)] = random.below(256);
      return copy;
    }),
  );
  const floods = [
    png(30_000, 30_000),
    png(50_000, 20_000),
    png(2_147_483_647, 2_147_483_647),
    png(1, 1_000_000_000),
    png(0, 0),
    png(100, 100, ['iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${SCRIPT}`)]),
    png(100, 100, [
      'zTXt',
      Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(50_000_000))]),
    ]),
    png(100, 100, [
      'iCCP',
      Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(9_000_000))]),
    ]),
  ];
  const large = Buffer.concat([jpeg, Buffer.alloc(2 * 1024 * 1024 + 1 - jpeg.length)]);
  return [
    ...NO_PICTURES.map((file) => ({ file, statuses: [400, 413, 415] })),
    ...others.map((file) => ({ file, statuses: [415] })),
    ...hidden.map((file) => ({ file, statuses: [204, 400, 415] })),
    ...[...cut, ...damaged].map((file) => ({ file, statuses: [204, 400, 415] })),
    ...floods.map((file) => ({ file, statuses: [204, 400, 415] })),
    { file: wide, statuses: [204, 400] },
    { file: large, statuses: [413] },
    ...[
      'image/svg+xml',
      'text/html',
      'image/gif',
      'application/octet-stream',
      'multipart/form-data; boundary=x',
      '',
    ].map((type) => ({ file: pngFile, type, statuses: [415] })),
    { file: gzipSync(pngFile), statuses: [400, 415] },
  ];
}

/** Checks that the stored picture contains none of the data hidden in the uploaded file. */
async function shownIsClean(target: Target, path: string): Promise<string | undefined> {
  const { text, headers } = await target.send(path, { token: target.person });
  const type = headers['content-type'];
  if (type !== 'image/webp' || headers['x-content-type-options'] !== 'nosniff')
    return `shown as ${String(type)}`;
  return /<script|<\?php|PDF-1|Artist/.test(text) ? 'what was hidden is shown' : undefined;
}

export const files: AttackClass = {
  id: 'A12',
  goal: 'paths and uploads: no file is reached; pictures are decoded and re-encoded, all else refused (they live in the database alone)',
  size: 1_680,
  writes: ['photos'],
  attempts: async (target, count, random) => {
    const { person, administrator } = target;
    // The server accepts one photo at a time from one person, and 60 writes per minute.
    const people = await target.query<{ id: string }>(
      'SELECT id::text FROM users WHERE NOT sysadmin ORDER BY id LIMIT 64',
    );
    const put = ({ file, type = 'image/png', statuses }: Upload, at: number): Attempt => {
      const photo = `/api/v2/directory/users/${people[at % people.length]!.id}/photo`;
      return {
        path: photo,
        method: 'PUT',
        token: administrator,
        body: file,
        type,
        judge: async (answer: Reply) => {
          if (!statuses.includes(answer.status)) return `status ${answer.status}`;
          return answer.status === 204
            ? shownIsClean(target, photo)
            : refusedWith(...statuses)(answer);
        },
      };
    };
    const all = await uploads(random);
    const sent = random.sample(all, Math.max(6, Math.ceil((all.length * count) / 1_680)));
    const paths = traversals(Math.max(0, count - sent.length), random).map((path): Attempt => ({
      path,
      token: person,
      judge: (answer) => (isPage(answer) ? undefined : refusedWith(400, 403, 404)(answer)),
    }));
    return [...sent.map(put), ...paths];
  },
};
