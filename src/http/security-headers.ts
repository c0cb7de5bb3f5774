import type { Step } from './step.js';

/** Forbids caching, MIME sniffing, framing and scripts, unless a route sets other headers. */
export const securityHeaders: Step = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; base-uri 'none'; frame-ancestors 'none'`,
  );
  response.setHeader('Cross-Origin-Resource-Policy', 'same-site');
  next();
};
