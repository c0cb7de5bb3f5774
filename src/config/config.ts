import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseAddressList } from './address-list.js';

const addresses = z.string().refine((text) => parseAddressList(text).unreadable.length === 0, {
  error: ({ input }) =>
    `cannot read ${parseAddressList(String(input)).unreadable.join(', ')}; expected IPv4 or IPv6 addresses or CIDR networks separated by commas`,
});
const flag = z
  .enum(['true', 'false'], { error: 'expected true or false' })
  .transform((text) => text === 'true');
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine((text) => /^\d{1,6}$/.test(text) && +text >= least && +text <= most, {
      error: `expected a whole number from ${least} to ${most}`,
    })
    .transform(Number);
const httpUrl = z
  .string()
  .refine((text) => /^https?:\/\/[^\s]+$/.test(text) && URL.canParse(text), {
    error: 'expected an http or https address',
  });
const origins = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .refine(
    (list) => list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
    { error: 'expected exact origins such as https://portal.example.com, separated by commas' },
  );

/** Every environment variable of the server (decisions: Operation). */
const variables = z.object({
  HOST: z.string().optional().describe('address to listen on'),
  PORT: wholeNumber(0, 65535).default(3000).describe('port to listen on'),
  BASE_PATH: z
    .string()
    .regex(
      /^(\/[A-Za-z0-9._~-]+)+$/,
      'expected a path such as /platform, without a slash at its end',
    )
    .default('')
    .describe('context path before all routes'),
  PUBLIC_URL: httpUrl.optional().describe('the address people use'),
  TLS_CERT_FILE: z.string().optional().describe('certificate for HTTPS without a proxy'),
  TLS_KEY_FILE: z.string().optional().describe('private key for HTTPS without a proxy'),
  DATABASE_URL: z
    .string()
    .refine((text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text), {
      error: 'expected postgresql://user:password@host:port/database',
    })
    .optional()
    .describe('PostgreSQL 15 or newer; without it an embedded one in .data/'),
  SYSADMIN_PASSWORD: z
    .string()
    .min(12, 'expected at least 12 characters')
    .optional()
    .describe('first password of sysadmin; generated and printed once when missing'),
  DEMO_DATA: flag.optional().describe('seeds the demonstration portal'),
  SEEDS_FOLDER: z.string().optional().describe('folder of own seeds, for the command seed'),
  ALLOWED_ADDRESSES: addresses.optional().describe('first value of the address rule'),
  SYSADMIN_ALLOWED_ADDRESSES: addresses.optional().describe('first value of the rule of sysadmin'),
  TRUSTED_PROXIES: addresses.default('').describe('peers whose X-Forwarded-For is read'),
  VENDOR: z
    .string()
    .regex(/^[a-z0-9_-]+$/i, 'expected letters, digits, _ or -')
    .default('platform')
    .describe('vendor segment of the parameter keys'),
  OIDC_ISSUER: httpUrl.optional().describe('identity provider whose tokens sign in'),
  OIDC_AUDIENCE: z.string().optional().describe('audience that those tokens must name'),
  OIDC_LOGIN_CLAIM: z.string().default('preferred_username').describe('claim that holds the login'),
  CORS_ORIGINS: origins.default([]).describe('exact origins of portals whose pages call'),
  WEB_CONCURRENCY: wholeNumber(1, 64).default(1).describe('worker processes'),
  METRICS_PORT: wholeNumber(1, 65535).optional().describe('port of the Prometheus metrics'),
  METRICS_HOST: z
    .string()
    .optional()
    .describe('address of the Prometheus metrics; HOST without it'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'expected fatal, error, warn, info, debug, trace or silent',
    })
    .default('info')
    .describe('least level that is logged'),
});

/** Variables that hold secrets: NAME_FILE may name a file that holds the value instead. */
const SECRETS = ['DATABASE_URL', 'SYSADMIN_PASSWORD'] as const;

const complete = variables.transform((env, context) => {
  if ((env.TLS_CERT_FILE === undefined) !== (env.TLS_KEY_FILE === undefined))
    context.addIssue({
      code: 'custom',
      path: [env.TLS_CERT_FILE === undefined ? 'TLS_CERT_FILE' : 'TLS_KEY_FILE'],
      message: 'TLS_CERT_FILE and TLS_KEY_FILE belong together',
    });
  if (env.OIDC_ISSUER !== undefined && env.OIDC_AUDIENCE === undefined)
    context.addIssue({
      code: 'custom',
      path: ['OIDC_AUDIENCE'],
      message: 'is needed with OIDC_ISSUER',
    });
  return {
    ...env,
    HOST: env.HOST ?? (env.DATABASE_URL === undefined ? '127.0.0.1' : '0.0.0.0'),
    DEMO_DATA: env.DEMO_DATA ?? env.DATABASE_URL === undefined,
  };
});

/** The environment, typed and checked. Property names are the variables' own names. */
export type Environment = z.output<typeof complete>;

/** How to reach the database: an address, or the socket folder of the embedded one. */
export type DatabaseConnection =
  { url: string } | { host: string; user: string; password?: string; database: string };

/** What the server was started with; injectable. */
export class Config {
  constructor(
    readonly env: Environment,
    readonly database: DatabaseConnection | undefined = env.DATABASE_URL === undefined
      ? undefined
      : { url: env.DATABASE_URL },
  ) {}

  /** The same environment on a database that was started for it. */
  withDatabase(database: DatabaseConnection): Config {
    return new Config(this.env, database);
  }
}

/** The environment has mistakes; `message` names every one of them. */
export class ConfigError extends Error {}

/**
 * Reads and checks the environment. An empty variable counts as unset.
 * @throws ConfigError naming all mistakes at once
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const mistakes: string[] = [];
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value) values[name] = value;
  for (const name of SECRETS) readSecret(name, values, mistakes);
  const result = complete.safeParse(values);
  for (const issue of result.error?.issues ?? [])
    mistakes.push(`${issue.path.join('.')}: ${issue.message}`);
  if (mistakes.length > 0 || !result.success) throw new ConfigError(mistakes.join('\n'));
  return new Config(result.data);
}

function readSecret(name: string, values: Record<string, string>, mistakes: string[]): void {
  const file = values[`${name}_FILE`];
  if (file === undefined) return;
  if (values[name] !== undefined) mistakes.push(`${name}: given twice, also as ${name}_FILE`);
  try {
    values[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    mistakes.push(`${name}_FILE: cannot read the file ${file}`);
  }
}
