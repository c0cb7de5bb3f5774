import type { Config } from '../base/config/config.js';
import {
  DEMO_PASSWORD,
  type DemonstrationLogin,
} from '../auth/credentials/demonstration-logins.js';

/** The facts in the banner. */
interface Started {
  /** Where the server listens, plain HTTP beside HTTPS included. */
  urls: string[];
  /** The accounts with the published password. */
  logins: DemonstrationLogin[];
}

/** The banner for the person who just started the server. */
export function startupBanner({ env }: Config, { urls: [url, plainUrl], logins }: Started): string {
  const base = (env.PUBLIC_URL ?? nameOf(url!)) + env.BASE_PATH;
  const lines = ['', `Process Platform listens on ${base}`];
  if (plainUrl !== undefined)
    lines.push(`Plain HTTP beside it: ${nameOf(plainUrl)}${env.BASE_PATH}`);
  lines.push(
    `The workplace, for a browser: ${base}/workplace`,
    `The console, for administrators: ${base}/console`,
  );
  if (logins.length > 0)
    lines.push(
      '',
      `Demonstration logins, all with the password ${DEMO_PASSWORD}:`,
      ...logins.map(
        ({ login, administrator }) => `  ${login}${administrator ? ' (administrator)' : ''}`,
      ),
    );
  const caller = logins.find(({ administrator }) => !administrator);
  if (caller) lines.push('', 'A first call:', `  ${firstCall(base, caller)}`);
  return `${lines.join('\n')}\n\n`;
}

const nameOf = (url: string): string => url.replace('[::1]', 'localhost');

const firstCall = (base: string, { login }: DemonstrationLogin): string =>
  `curl -s ${base}/api/v2/authentication -H 'Content-Type: application/json' -d '{"login":"${login}","password":"${DEMO_PASSWORD}"}'`;
