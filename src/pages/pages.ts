import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Config } from '../config/config.js';
import { answerRefusal } from '../errors/answer-refusal.js';
import { methodNotAllowed, notFound } from '../errors/refusals.js';
import { findPackageJSON } from '../operations/package-json.js';

/** Scripts, styles and pictures are our own files alone; nothing inline, nothing from elsewhere. */
const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  // The digest of nothing: the console fills style elements by script, which may not hold a text.
  `style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`,
  `font-src 'self'`,
  `connect-src 'self'`,
  // Photos are fetched with the token in a header, and shown from memory.
  `img-src 'self' blob:`,
  `base-uri 'self'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
].join('; ');

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Their names hold a digest, so they never change. Private: the address rule is not for caches. */
const FOREVER = 'private, max-age=31536000, immutable';

/** The folder of what all pages are made of. */
const ASSETS = 'assets';

/** What a page's template has where its base address belongs. */
const BASE_PLACEHOLDER = '%BASE%';

/** A file in memory, and compressed where that makes it smaller. */
interface PageFile {
  type: string;
  plain: Buffer;
  zipped?: Buffer;
}

/**
 * The pages for people (decisions: Search, HYPERLINK): `/workplace` and whatever is below it is one
 * page that finds its way by itself, and so is every other folder of the build; `/assets` has what
 * they are made of. They need no token (a page asks to sign in) and stand behind the address rule,
 * like everything else.
 */
@Injectable()
export class Pages {
  /** By the first segment of their address. */
  private readonly pages: Map<string, PageFile>;
  /** By their name. */
  private readonly assets: Map<string, PageFile>;

  constructor({ env }: Config) {
    const folder = join(dirname(findPackageJSON()), 'dist', 'web');
    const read = (...names: string[]): Buffer => readFileSync(join(folder, ...names));
    const pages = readdirSync(folder).filter((name) => name !== ASSETS);
    this.pages = new Map(
      pages.map((name) => {
        const template = read(name, 'index.html').toString();
        const page = template.replace(BASE_PLACEHOLDER, `${env.BASE_PATH}/${name}/`);
        return [name, fileOf('.html', Buffer.from(page))];
      }),
    );
    this.assets = new Map(
      readdirSync(join(folder, ASSETS)).map((name) => [
        name,
        fileOf(extname(name), read(ASSETS, name)),
      ]),
    );
  }

  /** Express middleware. */
  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    const { path, method } = request;
    const [, first = '', rest = ''] = path.split('/', 3);
    const page = this.pages.get(first);
    if (!page && first !== ASSETS) return next();
    const file = page ?? this.assets.get(rest);
    if (!file || path.startsWith(`/${ASSETS}/${rest}/`))
      return answerRefusal(response, notFound(), path);
    if (method !== 'GET' && method !== 'HEAD')
      return answerRefusal(response, methodNotAllowed(['GET', 'HEAD']), path);
    if (page) {
      response.setHeader('Content-Security-Policy', POLICY);
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    } else response.setHeader('Cache-Control', FOREVER);
    send(request, response, file);
  };
}

function fileOf(extension: string, plain: Buffer): PageFile {
  const zipped = gzipSync(plain, { level: 9 });
  return {
    type: MEDIA_TYPES[extension] ?? 'application/octet-stream',
    plain,
    zipped: zipped.length < plain.length * 0.9 ? zipped : undefined,
  };
}

function send(request: Request, response: Response, { type, plain, zipped }: PageFile): void {
  response.setHeader('Content-Type', type);
  response.vary('Accept-Encoding');
  const isZipped = zipped !== undefined && request.acceptsEncodings('gzip') === 'gzip';
  if (isZipped) response.setHeader('Content-Encoding', 'gzip');
  const content = isZipped ? zipped : plain;
  response.setHeader('Content-Length', content.length);
  response.end(request.method === 'HEAD' ? undefined : content);
}
