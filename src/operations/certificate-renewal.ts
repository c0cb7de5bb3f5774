import { Server as TlsServer } from 'node:tls';
import type { Logger } from 'pino';
import { type Certificate, readCertificate } from '../config/certificate.js';
import type { Environment } from '../config/config.js';
import type { Step } from './entrance.js';

/** How often the files are looked at, in milliseconds. Events of the file system miss links that move. */
const INTERVAL = 5_000;
/** Longest wait for a client to agree on encryption, in milliseconds. */
const HANDSHAKE_TIMEOUT = 5_000;
/** For how long browsers that came by HTTPS come by nothing else, in seconds. */
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

/** Browsers stay with HTTPS. */
export const strictTransport: Step = (_request, response, next) => {
  response.setHeader('Strict-Transport-Security', `max-age=${STRICT_TRANSPORT}`);
  next();
};

/**
 * Serves a renewed certificate without a restart: new connections get it within seconds, or at once
 * after a SIGHUP. Files that cannot be used (half written, not a pair) leave the old one in place.
 * Does nothing for a server without encryption.
 */
export function renewCertificate(server: unknown, env: Environment, logger: Logger): void {
  if (!(server instanceof TlsServer)) return;
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
