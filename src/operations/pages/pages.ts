import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Config } from '../../base/config/config.js';
import { Passkeys } from '../../auth/credentials/passkeys.service.js';
import { PasswordSignIn } from '../../auth/credentials/password-sign-in.service.js';
import { sendError } from '../../http/send-error.js';
import { methodNotAllowed, notFound } from '../../base/errors/api-errors.js';
import { STOP_PATH } from '../../process/mails/stop-links.service.js';
import { findPackageJSON } from '../../base/config/package-json.js';
import { type Branding, brandingOf } from '../../security/parameters/branding.js';
import {
  ParametersService,
  ParameterValues,
} from '../../security/parameters/parameters.service.js';

/** The digest of an empty style element: the console's library fills such elements by script. */
const EMPTY_STYLE = `'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`;

/**
 * Scripts, styles and images come from our own files only: nothing inline, nothing from another host. The
 * page itself fetches its token from the identity provider.
 */
const policyOf = (page: string, issuer: string | undefined): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'${page === 'console' ? ` ${EMPTY_STYLE}` : ''}`,
    `font-src 'self'`,
    `connect-src 'self'${issuer === undefined ? '' : ` ${new URL(issuer).origin}`}`,
    // The page fetches photos with the token in a header and shows them as blobs.
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

/** File names contain a digest, so the files never change. Private: shared caches know no IP allowlist. */
const FOREVER = 'private, max-age=31536000, immutable';

/** The folder of the files that pages share. */
const ASSETS = 'assets';

/** The suffixes of compressed files that the build writes beside the plain ones. */
const ZIPPED = '.gz';

/** The placeholders in a page's template. */
const PLACEHOLDER =
  /%(BASE|ISSUER|CLIENT_ID|PROVIDER|SILENT|PASSWORDS|PASSKEYS|MAIL|TITLE|NAME|ACCENT_LIGHT|ACCENT_DARK|LOGO)%/g;

/** A file in memory, with its compressed variants where the build wrote them. */
interface PageFile {
  type: string;
  plain: Buffer;
  zipped?: Buffer;
}

/**
 * The pages for people (docs/api-contract.md#records): `/workplace` and every path below it serve
 * one single-page application, and so does every other folder of the build; `/assets` has the files they
 * share. They need no token (a page asks to sign in) and stand behind the IP allowlist, like every route.
 */
@Injectable()
export class Pages {
  /** The templates by the first segment of the path. */
  private readonly templates: Map<string, string>;
  /** By their name. */
  private readonly assets: Map<string, PageFile>;
  /** The branding while the database does not answer. */
  private branding: Branding = brandingOf(new ParameterValues(new Map()));

  constructor(
    private readonly config: Config,
    private readonly passkeys: Passkeys,
    private readonly passwordSignIn: PasswordSignIn,
    private readonly parameters: ParametersService,
  ) {
    const folder = join(dirname(findPackageJSON()), 'dist', 'pages');
    const read = (...names: string[]): Buffer => readFileSync(join(folder, ...names));
    const pages = readdirSync(folder).filter((name) => name !== ASSETS);
    this.templates = new Map(pages.map((name) => [name, read(name, 'index.html').toString()]));
    const names = new Set(readdirSync(join(folder, ASSETS)));
    this.assets = new Map(
      [...names]
        .filter((name) => !name.endsWith(ZIPPED))
        .map((name) => [
          name,
          {
            type: MEDIA_TYPES[extname(name)] ?? 'application/octet-stream',
            plain: read(ASSETS, name),
            zipped: names.has(name + ZIPPED) ? read(ASSETS, name + ZIPPED) : undefined,
          },
        ]),
    );
  }

  /** Express middleware. */
  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    const { path, method } = request;
    // A person typed only the host.
    if (path === '/' && method === 'GET' && request.accepts(['json', 'html']) === 'html')
      return response.redirect(303, `${this.config.env.BASE_PATH}/workplace`);
    const [, first = '', rest = ''] = path.split('/', 3);
    // A GET answers the page with a button; a POST is the click itself (RFC 8058).
    if (method === 'POST' && path.startsWith(`${STOP_PATH}/`)) return next();
    const isPage = this.templates.has(first);
    if (!isPage && first !== ASSETS) return next();
    if (path.startsWith(`/${ASSETS}/${rest}/`)) return sendError(response, notFound());
    const find = isPage ? this.page(first) : this.asset(rest);
    find.then((file) => {
      if (!file) return sendError(response, notFound());
      if (method !== 'GET' && method !== 'HEAD')
        return sendError(response, methodNotAllowed(['GET', 'HEAD']));
      if (isPage) {
        const policy = policyOf(first, this.config.env.OIDC_ISSUER);
        response.setHeader('Content-Security-Policy', policy);
        response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      } else response.setHeader('Cache-Control', FOREVER);
      send(request, response, file);
    }, next);
  };

  /** A page for the current server parameters. While the database is away, it shows the fields for a password. */
  private async page(name: string): Promise<PageFile> {
    const { env } = this.config;
    const branding = await this.currentBranding();
    const arePasswordsOn = await this.passwordSignIn.isOn().catch(() => true);
    const page = fill(this.templates.get(name)!, {
      BASE: `${env.BASE_PATH}/${name}/`,
      ISSUER: env.OIDC_ISSUER ?? '',
      CLIENT_ID: env.OIDC_AUDIENCE?.[0] ?? '',
      PROVIDER: env.OIDC_NAME ?? hostOf(env.OIDC_ISSUER),
      SILENT: env.OIDC_SILENT ? 'yes' : 'no',
      PASSWORDS: arePasswordsOn ? 'yes' : 'no',
      PASSKEYS: this.passkeys.areOn ? 'yes' : 'no',
      MAIL: env.SMTP_URL === undefined ? 'no' : 'yes',
      TITLE: branding.name || name.replace(/^./, (first) => first.toUpperCase()),
      NAME: branding.name,
      ACCENT_LIGHT: branding.accentLight,
      ACCENT_DARK: branding.accentDark,
      LOGO: branding.logo ? `${env.BASE_PATH}/${ASSETS}/${branding.logo.fileName}` : '',
    });
    return { type: MEDIA_TYPES['.html']!, plain: Buffer.from(page) };
  }

  /** A file of the build, or the logo. */
  private async asset(name: string): Promise<PageFile | undefined> {
    const built = this.assets.get(name);
    if (built || !name.startsWith('logo-')) return built;
    const { logo } = await this.currentBranding();
    return logo?.fileName === name ? { type: logo.mediaType, plain: logo.content } : undefined;
  }

  /** The branding now, or the last one while the database does not answer. */
  private async currentBranding(): Promise<Branding> {
    try {
      this.branding = brandingOf(await this.parameters.current());
    } catch {
      // The page itself shows people that the server is not available.
    }
    return this.branding;
  }
}

const fill = (template: string, values: Record<string, string>): string =>
  template.replace(PLACEHOLDER, (_, name: string) => escapeAttribute(values[name]!));

const hostOf = (address: string | undefined): string =>
  address === undefined ? '' : new URL(address).host;

const escapeAttribute = (text: string): string =>
  text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);

function send(request: Request, response: Response, { type, plain, zipped }: PageFile): void {
  response.setHeader('Content-Type', type);
  response.vary('Accept-Encoding');
  const isZipped = zipped !== undefined && request.acceptsEncodings('gzip') === 'gzip';
  if (isZipped) response.setHeader('Content-Encoding', 'gzip');
  const content = isZipped ? zipped : plain;
  response.setHeader('Content-Length', content.length);
  response.end(request.method === 'HEAD' ? undefined : content);
}
