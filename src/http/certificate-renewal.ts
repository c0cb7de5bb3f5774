import type { Server as TlsServer } from 'node:tls';
import type { Logger } from 'pino';
import { type Certificate, readCertificate } from '../base/config/certificate.js';
import type { Environment } from '../base/config/config.js';

/** How often the files are checked, in milliseconds. File-system events miss a changed symbolic link. */
const INTERVAL = 5_000;

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
      if (problem !== lastProblem)
        logger.error(`the certificate cannot be renewed and stays in use: ${problem}`);
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
