import type { Server as TlsServer } from 'node:tls';
import type { Logger } from 'pino';
import { type Certificate, readCertificate } from '../config/certificate.js';
import type { Environment } from '../config/config.js';
import type { Step } from './pre-framework.js';

/** How often the files are checked, in milliseconds. File-system events miss a changed symbolic link. */
const INTERVAL = 5_000;
/** Longest TLS handshake, in milliseconds. */
export const HANDSHAKE_TIMEOUT = 5_000;
/** How long browsers use only HTTPS for a host name after one HTTPS answer, in seconds. */
const STRICT_TRANSPORT = 31_536_000;

/**
 * The options of an HTTPS server without a proxy (TLS_CERT_FILE, TLS_KEY_FILE); undefined when these are unset.
 * @throws CertificateError
 */
export function httpsOptions(env: Environment) {
  if (env.TLS_CERT_FILE === undefined || env.TLS_KEY_FILE === undefined) return undefined;
  const certificate = readCertificate(env.TLS_CERT_FILE, env.TLS_KEY_FILE);
  return { ...certificate, handshakeTimeout: HANDSHAKE_TIMEOUT };
}

/**
 * Tells browsers to stay with HTTPS. HSTS ignores the port and affects every server of a host name (RFC 6797
 * section 8.3). Therefore it is sent only when the requested host names no port: a server on another port
 * shares the name with servers that may not speak HTTPS.
 */
export const strictTransport: Step = (request, response, next) => {
  if (!/:\d+$/.test(request.headers.host ?? ''))
    response.setHeader('Strict-Transport-Security', `max-age=${STRICT_TRANSPORT}`);
  next();
};

/**
 * Serves a renewed certificate without a restart: new connections get it within seconds, or immediately
 * after SIGHUP. Unusable files (half written, not a pair) leave the current certificate in place.
 */
export function renewCertificate(server: TlsServer, env: Environment, logger: Logger): void {
  const { TLS_CERT_FILE: certFile = '', TLS_KEY_FILE: keyFile = '' } = env;
  let current: Certificate | undefined;
  let lastProblem = '';
  const look = (): void => {
    try {
      const next = readCertificate(certFile, keyFile);
      lastProblem = '';
      if (next.cert === current?.cert && next.key === current.key) return;
      server.setSecureContext(next);
      if (current) logger.info('the certificate was renewed');
      current = next;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      // Logged once, not every few seconds.
      if (problem !== lastProblem) logger.error(`the certificate stays as it was: ${problem}`);
      lastProblem = problem;
    }
  };
  look();
  const timer = setInterval(look, INTERVAL).unref();
  process.on('SIGHUP', look);
  server.once('close', () => {
    clearInterval(timer);
    process.off('SIGHUP', look);
  });
}
