import type { NextFunction, Request, Response } from 'express';
import type { Environment } from '../config/config.js';
import { invalidField } from '../errors/api-errors.js';
import { stateOf } from './request-state.js';
import { sendError } from './send-error.js';

/**
 * Express middleware: with PUBLIC_URL, answers 400 for another host. A page of another name that was
 * made to resolve to this server (DNS rebinding) would otherwise call from inside the IP allowlist.
 * Probes use any name. Plain HTTP beside HTTPS has another port, so there the name alone counts.
 */
export function requireOwnHost({ PUBLIC_URL, HTTP_PORT }: Environment) {
  const url = PUBLIC_URL === undefined ? undefined : new URL(PUBLIC_URL);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!url || stateOf(request).facts.isProbe) return next();
    const part = HTTP_PORT !== undefined && request.protocol === 'http' ? 'hostname' : 'host';
    const asked = hostOf(url.protocol, request.headers.host ?? '', part);
    if (asked === hostOf(url.protocol, url.host, part)) return next();
    sendError(response, invalidField('Host', `must be ${url[part]}`));
  };
}

/** A host in the form that compares: no case, default port or final dot (RFC 9110 section 4.2.3). */
function hostOf(protocol: string, host: string, part: 'host' | 'hostname'): string | undefined {
  const address = `${protocol}//${host}`;
  if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(address)) return undefined;
  return new URL(address)[part].replace(/\.(?=:|$)/, '');
}
