import type { Config } from '../config/config.js';

const DEMO_PASSWORD = 'Portal-Demo-2026';
const DEMO_LOGINS = ['alice.martin (administrator)', 'bruno.keller', 'chloe.lefevre'];

/**
 * The banner for the person who just started the server.
 * @param urls where it listens, plain HTTP beside HTTPS included
 */
export function startupBanner(
  { env }: Config,
  [url, plainUrl]: string[],
  sysadminPassword: string | undefined,
): string {
  const base = (env.PUBLIC_URL ?? nameOf(url!)) + env.BASE_PATH;
  const lines = ['', `Process Platform listens on ${base}`];
  if (plainUrl !== undefined)
    lines.push(`Plain HTTP beside it: ${nameOf(plainUrl)}${env.BASE_PATH}`);
  lines.push(`The workplace, for a browser: ${base}/workplace`);
  if (env.DEMO_DATA)
    lines.push(
      '',
      `Demonstration logins, all with the password ${DEMO_PASSWORD}:`,
      ...DEMO_LOGINS.map((login) => `  ${login}`),
    );
  if (sysadminPassword !== undefined)
    lines.push('', `System administrator: sysadmin, password ${sysadminPassword} (shown only now)`);
  if (env.DEMO_DATA) lines.push('', 'A first call:', `  ${firstCall(base)}`);
  return `${lines.join('\n')}\n\n`;
}

const nameOf = (url: string): string => url.replace('[::1]', 'localhost');

const firstCall = (base: string): string =>
  `curl -s ${base}/api/v2/authentication -H 'Content-Type: application/json' -d '{"login":"bruno.keller","password":"${DEMO_PASSWORD}"}'`;
