import { readCertificate } from '../base/config/certificate.js';
import type { Environment } from '../base/config/config.js';

/** Longest TLS handshake, in milliseconds. */
const HANDSHAKE_TIMEOUT = 5_000;

/**
 * The options of an HTTPS server without a proxy (TLS_CERT_FILE, TLS_KEY_FILE); undefined when these are unset.
 * @throws CertificateError
 */
export function httpsOptions(env: Environment) {
  if (env.TLS_CERT_FILE === undefined || env.TLS_KEY_FILE === undefined) return undefined;
  const certificate = readCertificate(env.TLS_CERT_FILE, env.TLS_KEY_FILE);
  return { ...certificate, handshakeTimeout: HANDSHAKE_TIMEOUT };
}
