import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { CertificateError, holdsCertificate, readCertificate } from './certificate.js';
import {
  isDatabaseUrl,
  lacksPassword,
  urlsOfHosts,
  withAuthority,
  withPassword,
} from './database-url.js';
import { parseCidrList } from './parse-cidr-list.js';

const addresses = z.string().refine((text) => parseCidrList(text).unreadable.length === 0, {
  error: ({ input }) =>
    `must be IPv4 or IPv6 addresses or CIDR networks separated by commas; unreadable: ${parseCidrList(String(input)).unreadable.join(', ')}`,
});
const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((text) => text === 'true');
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine((text) => /^\d{1,6}$/.test(text) && +text >= least && +text <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .transform(Number);
const httpUrl = z
  .string()
  .refine((text) => /^https?:\/\/[^\s]+$/.test(text) && URL.canParse(text), {
    error: 'must be an http or https address',
  });
const origins = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .refine(
    (list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    { error: 'must be exact origins such as https://portal.example.com, separated by commas' },
  );

const clientIds = z
  .string()
  .transform((text) => text.split(',').map((id) => id.trim()))
  .refine((ids) => !ids.includes('') && new Set(ids).size === ids.length, {
    error: 'must be client ids separated by commas, each once',
  });

const DEFAULT_PORT = 3000;

/** Every environment variable of the server (docs/configuration.md). */
export const variables = z.object({
  HOST: z
    .string()
    .optional()
    .meta({ usual: '`127.0.0.1` without a `DATABASE_URL`, else `0.0.0.0`' })
    .describe('address to listen on'),
  PORT: wholeNumber(0, 65535).default(DEFAULT_PORT).describe('port to listen on'),
  BASE_PATH: z
    .string()
    .regex(
      /^(\/[A-Za-z0-9._~-]+)+$/,
      'must be a path such as /platform, without a slash at its end',
    )
    .default('')
    .describe('context path before all routes, e.g. `/platform`'),
  PUBLIC_URL: httpUrl
    .optional()
    .describe(
      'the address people use, without a path or with that of `BASE_PATH`; when set, the server rejects requests for another `Host`; needed with `SMTP_URL` and for passkeys',
    ),
  TLS_CERT_FILE: z
    .string()
    .optional()
    .describe('PEM file of a certificate with its chain: HTTPS without a proxy'),
  TLS_KEY_FILE: z.string().optional().describe('PEM file of its private key'),
  HTTP_PORT: wholeNumber(0, 65535)
    .optional()
    .describe('port of plain HTTP beside HTTPS, which `PORT` then speaks'),
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl, {
      error:
        'must be postgresql://user:password@host:port/database; with several hosts, as host:port,host:port, it must end with ?target_session_attrs=read-write',
    })
    .optional()
    .meta({ usual: 'an embedded PostgreSQL in `.data/`' })
    .describe(
      '`postgresql://user:password@host:port/database`, PostgreSQL 15 to 18, in UTF8; or several hosts of which one is the primary, `…@one:5432,two:5432/database?target_session_attrs=read-write`',
    ),
  DATABASE_PASSWORD: z
    .string()
    .optional()
    .describe(
      'password of a `DATABASE_URL` that has none, so that server and database can read it from one file',
    ),
  DATABASE_CA_FILE: z
    .string()
    .optional()
    .describe(
      'PEM file of the CAs that may sign the certificate of the database: connections then use TLS and check the certificate and its host, as `sslmode=verify-full` does',
    ),
  RUNTIME_ROLE: z
    .string()
    .optional()
    .describe(
      'role of the database as which the servers connect: migrations, run by the owner of the tables, grant it what it needs and no more',
    ),
  SYSADMIN_PASSWORD: z
    .string()
    .min(12, 'must have at least 12 characters')
    .optional()
    .meta({ usual: 'generated, printed once' })
    .describe('first password of `sysadmin`, at least 12 characters'),
  DEMO_DATA: flag
    .optional()
    .meta({ usual: '`true` on the embedded database, else `false`' })
    .describe('seeds the demonstration portal, whose passwords are known: `true` or `false`'),
  SEEDS_FOLDER: z.string().optional().describe('folder of own seeds, for the command `seed`'),
  ALLOWED_ADDRESSES: addresses
    .optional()
    .meta({ usual: '`127.0.0.1, ::1`' })
    .describe('IP allowlist of all calls: the first value, when the database is created'),
  SYSADMIN_ALLOWED_ADDRESSES: addresses
    .optional()
    .meta({ usual: '`127.0.0.1, ::1`' })
    .describe('IP allowlist of `sysadmin`: the first value, when the database is created'),
  TRUSTED_PROXIES: addresses
    .default('')
    .describe('addresses and networks of proxies, whose `X-Forwarded-For` is read'),
  VENDOR: z
    .string()
    .regex(/^[a-z0-9_-]+$/i, 'must be letters, digits, _ or -')
    .default('platform')
    .describe('vendor segment of the parameter keys'),
  OIDC_ISSUER: httpUrl.optional().describe('identity provider whose ID tokens sign in'),
  OIDC_AUDIENCE: clientIds
    .optional()
    .describe(
      'client ids that those tokens may name, separated by commas; the pages sign in as the first; needed with an issuer',
    ),
  OIDC_LOGIN_CLAIM: z.string().default('preferred_username').describe('claim that holds the login'),
  OIDC_SUBJECT_CLAIM: z
    .string()
    .default('sub')
    .describe('claim that holds the subject; another one where `sub` differs between clients'),
  OIDC_NAME: z
    .string()
    .max(60, 'must have at most 60 characters')
    .optional()
    .meta({ usual: 'the host of the issuer' })
    .describe('name of the identity provider on the buttons of the pages'),
  OIDC_SILENT: flag
    .default(false)
    .describe(
      'pages sign in without a question where the provider has a session: `true` or `false`',
    ),
  SMTP_URL: z
    .string()
    .refine((text) => /^smtps?:\/\/[^\s]+$/.test(text) && URL.canParse(text), {
      error: 'must be smtp://user:password@host:port, or smtps:// for TLS from the start',
    })
    .optional()
    .describe(
      '`smtp://user:password@host:587` or `smtps://…:465`: the SMTP server that takes the mails',
    ),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@<]@[^\s@>]+>?$/, 'must be an address, or a name with the address in <>')
    .optional()
    .describe('sender of mails, e.g. `Portal <no-reply@example.com>`; needed with `SMTP_URL`'),
  SECRETS_KEY: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .refine((keys) => keys.length > 0 && keys.every((key) => key.length >= 32), {
      error: 'must be keys of at least 32 characters each, separated by commas',
    })
    .default([])
    .describe(
      'key that encrypts the secrets of endpoints and authenticator apps in the database, at least 32 random characters; further keys after a comma only decrypt',
    ),
  CORS_ORIGINS: origins
    .default([])
    .describe('exact origins of portals whose pages call from a browser, separated by commas'),
  WEB_CONCURRENCY: wholeNumber(1, 64)
    .default(1)
    .describe('worker processes, 1 to 64; each takes up to 17 connections to the database'),
  DRAIN_SECONDS: wholeNumber(0, 600)
    .default(2)
    .describe(
      'how long a server that gets SIGTERM goes on answering while `/health/ready` says 503, in seconds, 0 to 600; it ends up to 8 seconds later',
    ),
  NAVIGATION_MEMORY: wholeNumber(0, 16_384)
    .default(128)
    .describe(
      'memory in MiB in which each process keeps answers of the navigation API, 0 to 16384; `0` keeps none',
    ),
  METRICS_PORT: wholeNumber(1, 65535).optional().describe('port of the Prometheus metrics'),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('address to serve the Prometheus metrics on; they need no token'),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe('address of an OpenTelemetry collector (OTLP over HTTP): traces are sent to it'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe('headers for the collector, `name=value` separated by commas'),
  OTEL_SERVICE_NAME: z
    .string()
    .default('process-platform')
    .describe('name of this server in its traces'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((text) => /^(0(\.\d+)?|1(\.0+)?)$/.test(text), {
      error: 'must be a number from 0 to 1',
    })
    .transform(Number)
    .default(1)
    .describe('share of the requests that are traced, from 0 to 1, unless the caller decided'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('info')
    .describe(
      'least level that is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent`',
    ),
});

/** Variables that hold secrets: NAME_FILE may name a file that holds the value instead. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'SYSADMIN_PASSWORD',
  'SMTP_URL',
  'SECRETS_KEY',
] as const;

const complete = variables.transform((env) => ({
  ...env,
  PUBLIC_URL: env.PUBLIC_URL === undefined ? undefined : new URL(env.PUBLIC_URL).origin,
  DATABASE_URL: withAuthority(
    withPassword(env.DATABASE_URL, env.DATABASE_PASSWORD),
    env.DATABASE_CA_FILE,
  ),
  HOST: env.HOST ?? (env.DATABASE_URL === undefined ? '127.0.0.1' : '0.0.0.0'),
  DEMO_DATA: env.DEMO_DATA ?? env.DATABASE_URL === undefined,
}));

/** The variables that are set, as texts. */
type SetVariables = Partial<Record<keyof z.input<typeof variables>, string>>;

/**
 * The mistakes that concern more than one variable. The check reads the texts, so that mistakes of single variables do
 * not hide them.
 */
function mistakesBetween(env: SetVariables): string[] {
  const { TLS_CERT_FILE, TLS_KEY_FILE, HTTP_PORT, PORT = DEFAULT_PORT, DATABASE_URL } = env;
  const mistakes: string[] = [];
  if (TLS_CERT_FILE !== undefined && TLS_KEY_FILE !== undefined)
    mistakes.push(...certificateMistakes(TLS_CERT_FILE, TLS_KEY_FILE));
  else if (TLS_CERT_FILE !== TLS_KEY_FILE)
    mistakes.push(
      `${TLS_CERT_FILE === undefined ? 'TLS_CERT_FILE' : 'TLS_KEY_FILE'}: TLS_CERT_FILE and TLS_KEY_FILE must be set together`,
    );
  if (HTTP_PORT !== undefined && TLS_CERT_FILE === undefined)
    mistakes.push('HTTP_PORT: requires TLS_CERT_FILE: without it PORT itself serves plain HTTP');
  else if (Number(HTTP_PORT) === Number(PORT) && Number(PORT) !== 0)
    mistakes.push('HTTP_PORT: must not be PORT');
  if (env.OIDC_ISSUER !== undefined && env.OIDC_AUDIENCE === undefined)
    mistakes.push('OIDC_AUDIENCE: is required with OIDC_ISSUER');
  for (const name of ['MAIL_FROM', 'PUBLIC_URL'] as const)
    if (env.SMTP_URL !== undefined && env[name] === undefined)
      mistakes.push(`${name}: is required with SMTP_URL`);
  if (hasOtherPath(env.PUBLIC_URL, env.BASE_PATH))
    mistakes.push('PUBLIC_URL: must have no path but that of BASE_PATH');
  if (env.DATABASE_PASSWORD !== undefined && !lacksPassword(DATABASE_URL))
    mistakes.push('DATABASE_PASSWORD: requires a DATABASE_URL without a password');
  if (env.DATABASE_CA_FILE !== undefined)
    mistakes.push(...authorityMistakes(env.DATABASE_CA_FILE, DATABASE_URL));
  return mistakes;
}

function certificateMistakes(certificateFile: string, keyFile: string): string[] {
  try {
    readCertificate(certificateFile, keyFile);
    return [];
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    return error.mistakes.map(({ variable, message }) => `${variable}: ${message}`);
  }
}

function authorityMistakes(file: string, databaseUrl: string | undefined): string[] {
  const mistakes: string[] = [];
  if (!holdsCertificate(file))
    mistakes.push(`DATABASE_CA_FILE: the file ${file} holds no readable certificate in PEM format`);
  const [url] = urlsOfHosts(databaseUrl ?? '');
  const has = (name: string): boolean => new URL(url!).searchParams.has(name);
  if (url === undefined || ['sslmode', 'sslrootcert'].some(has))
    mistakes.push('DATABASE_CA_FILE: requires a DATABASE_URL without sslmode and sslrootcert');
  return mistakes;
}

/** Addresses consist of the public origin and the base path, so any other path would be lost. */
function hasOtherPath(publicUrl: string | undefined, basePath = ''): boolean {
  if (publicUrl === undefined || !URL.canParse(publicUrl)) return false;
  const { origin, href } = new URL(publicUrl);
  return ![origin, origin + basePath].includes(href.replace(/\/$/, ''));
}

/** The environment, typed and checked. Property names are the variables' own names. */
export type Environment = z.output<typeof complete>;

/** How to reach the database: a URL, or the socket folder of the embedded one. */
export type DatabaseConnection =
  { url: string } | { host: string; user: string; password?: string; database: string };

/** The settings of this process; injectable. */
export class Config {
  constructor(
    readonly env: Environment,
    readonly database: DatabaseConnection | undefined = env.DATABASE_URL === undefined
      ? undefined
      : { url: env.DATABASE_URL },
  ) {}

  /** The same environment with the embedded database that was started for it. */
  withDatabase(database: DatabaseConnection): Config {
    return new Config(this.env, database);
  }

  /** The variables by which a worker process reaches the embedded database. */
  get variablesOfWorkers(): Record<string, string> {
    const { env, database } = this;
    if (!database || 'url' in database) return {};
    const { host, user, database: name } = database;
    return {
      DATABASE_URL: `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}&sslmode=disable`,
      // Their defaults depend on whether DATABASE_URL is set.
      HOST: env.HOST,
      DEMO_DATA: String(env.DEMO_DATA),
    };
  }
}

/** The environment has mistakes; `message` names every one of them. */
export class ConfigError extends Error {}

/**
 * Reads and checks the environment. An empty variable, or an empty file of a secret, counts as unset.
 * @throws ConfigError naming all mistakes at once
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const mistakes: string[] = [];
  const values: SetVariables & Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value) values[name] = value;
  for (const name of SECRETS) readSecret(name, values, mistakes);
  const result = complete.safeParse(values);
  for (const issue of result.error?.issues ?? [])
    mistakes.push(`${issue.path.join('.')}: ${issue.message}`);
  mistakes.push(...mistakesBetween(values));
  if (mistakes.length > 0 || !result.success) throw new ConfigError(mistakes.join('\n'));
  return new Config(result.data);
}

function readSecret(name: string, values: Record<string, string>, mistakes: string[]): void {
  const file = values[`${name}_FILE`];
  if (file === undefined) return;
  const secret = readLine(file);
  if (secret === '') return;
  if (values[name] !== undefined) mistakes.push(`${name}: is given twice, also as ${name}_FILE`);
  if (secret === undefined) mistakes.push(`${name}_FILE: cannot read the file ${file}`);
  else values[name] = secret;
}

/** The content of a file without the end of its line; undefined when it is unreadable. */
function readLine(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}
