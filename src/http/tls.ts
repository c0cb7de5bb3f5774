import type { Server as TlsServer } from 'node:tls';
import type { Logger } from 'pino';
import { type Certificate, readCertificate } from '../config/certificate.js';
import type { Environment } from '../config/config.js';
import type { Step } from './pre-framework.js';

/** How often the files are looked at, in milliseconds. Events of the file system miss links that move. */
const INTERVAL = 5_000;
/** Longest wait for a client to agree on encryption, in milliseconds. */
export const HANDSHAKE_TIMEOUT = 5_000;
/** For how long browsers use HTTPS alone for a host name that was reached by HTTPS, in seconds. */
const STRICT_TRANSPORT = 31_536_000;

/**
 * What HTTPS without a proxy is started with (TLS_CERT_FILE, TLS_KEY_FILE); undefined without them.
 * @throws CertificateError
 */
export function httpsOptions(env: Environment) {
  if (env.TLS_CERT_FILE === undefined || env.TLS_KEY_FILE === undefined) return undefined;
  const certificate = readCertificate(env.TLS_CERT_FILE, env.TLS_KEY_FILE);
  return { ...certificate, handshakeTimeout: HANDSHAKE_TIMEOUT };
}

/**
 * Browsers stay with HTTPS. HSTS knows no port: it holds for every program of a host name (RFC 6797
 * section 8.3). So it is sent only where the address names no port, to whom the name belongs; a server
 * on another port shares the name with others, and says nothing for them.
 */
export const strictTransport: Step = (request, response, next) => {
  if (!/:\d+$/.test(request.headers.host ?? ''))
    response.setHeader('Strict-Transport-Security', `max-age=${STRICT_TRANSPORT}`);
  next();
};

/**
 * Serves a renewed certificate without a restart: new connections get it within seconds, or at once
 * after a SIGHUP. Files that cannot be used (half written, not a pair) leave the old one in place.
 */
export function renewCertificate(server: TlsServer, env: Environment, logger: Logger): void {
  const { TLS_CERT_FILE: certFile = '', TLS_KEY_FILE: keyFile = '' } = env;
  let current: Certificate | undefined;
  let told = '';
  const look = (): void => {
    try {
      const next = readCertificate(certFile, keyFile);
      told = '';
      if (next.cert === current?.cert && next.key === current.key) return;
      server.setSecureContext(next);
      if (current) logger.info('the certificate was renewed');
      current = next;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      // Once, not every few seconds.
      if (problem !== told) logger.error(`the certificate stays as it was: ${problem}`);
      told = problem;
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
