import type { Step } from './step.js';

/** How long browsers use only HTTPS for a host name after one HTTPS answer, in seconds. */
const MAX_AGE = 31_536_000;

/**
 * Tells browsers to stay with HTTPS. HSTS ignores the port and affects every server of a host name (RFC 6797
 * section 8.3). Therefore it is sent only when the requested host names no port: a server on another port
 * shares the name with servers that may not speak HTTPS.
 */
export const strictTransport: Step = (request, response, next) => {
  if (!/:\d+$/.test(request.headers.host ?? ''))
    response.setHeader('Strict-Transport-Security', `max-age=${MAX_AGE}`);
  next();
};
