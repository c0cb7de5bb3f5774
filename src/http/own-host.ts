import type { NextFunction, Request, Response } from 'express';
import type { Environment } from '../base/config/config.js';
import { invalidField } from '../base/errors/api-errors.js';
import { stateOf } from './request-state.js';
import { sendError } from './send-error.js';
import { reason } from '../base/errors/reason.js';

/**
 * Express middleware: with PUBLIC_URL, answers 400 to a request for another host. Otherwise a page whose
 * host name an attacker points at this server (DNS rebinding) could call it from inside the IP allowlist.
 * Probes may use any name. Plain HTTP beside HTTPS has another port, so that only the name is compared.
 */
export function requireOwnHost({ PUBLIC_URL, HTTP_PORT }: Environment) {
  const url = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!url || stateOf(request).facts.isProbe) return next();
    const part = HTTP_PORT !== undefined && request.protocol === 'http' ? 'hostname' : 'host';
    const asked = hostOf(url.protocol, request.headers.host ?? '', part);
    if (asked === hostOf(url.protocol, url.host, part)) return next();
    sendError(response, invalidField('Host', reason('not-this-host', { host: url[part] })));
  };
}

/** A normalized host: lower case, without default port or final dot (RFC 9110 section 4.2.3). */
function hostOf(protocol: string, host: string, part: 'host' | 'hostname'): string | undefined {
  const address = `${protocol}//${host}`;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(address)) return undefined;
  return new URL(address)[part].replace(/\.(?=:|$)/, '');
}
