import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** A certificate with its chain, and its private key, as PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** The certificate files cannot be used; each problem names the variable of its file. */
export class CertificateError extends Error {
  constructor(readonly mistakes: { variable: string; message: string }[]) {
    super(mistakes.map(({ variable, message }) => `${variable}: ${message}`).join('\n'));
  }
}

/**
 * Reads a certificate and its key, and checks that they can serve together.
 * @throws CertificateError naming every file that cannot be used
 */
export function readCertificate(certFile: string, keyFile: string): Certificate {
  const mistakes: CertificateError['mistakes'] = [];
  const use = <T>(variable: string, file: string, what: string, parse: (pem: string) => T) => {
    let pem: string;
    try {
      pem = readFileSync(file, 'utf8');
    } catch {
      mistakes.push({ variable, message: `cannot read the file ${file}` });
      return undefined;
    }
    try {
      return { pem, parsed: parse(pem) };
    } catch {
      mistakes.push({
        variable,
        message: `the file ${file} does not contain a ${what} in PEM format`,
      });
      return undefined;
    }
  };
  const cert = use('TLS_CERT_FILE', certFile, 'certificate', (pem) => new X509Certificate(pem));
  const key = use('TLS_KEY_FILE', keyFile, 'private key without a passphrase', createPrivateKey);
  if (!cert || !key) throw new CertificateError(mistakes);
  if (!cert.parsed.checkPrivateKey(key.parsed)) {
    const message = `the key in ${keyFile} does not belong to the certificate in ${certFile}`;
    throw new CertificateError([{ variable: 'TLS_KEY_FILE', message }]);
  }
  try {
    createSecureContext({ cert: cert.pem, key: key.pem });
  } catch (error) {
    const message = `cannot be used: ${error instanceof Error ? error.message : String(error)}`;
    throw new CertificateError([{ variable: 'TLS_CERT_FILE', message }]);
  }
  return { cert: cert.pem, key: key.pem };
}

/** Whether a file can be read and begins with a certificate as PEM, such as that of a CA. */
export function holdsCertificate(file: string): boolean {
  try {
    new X509Certificate(readFileSync(file));
    return true;
  } catch {
    return false;
  }
}

/** The end of the first certificate in a file, in milliseconds since 1970; undefined when it cannot be read. */
export function endOfCertificate(file: string): number | undefined {
  try {
    return Date.parse(new X509Certificate(readFileSync(file)).validTo);
  } catch {
    return undefined;
  }
}
