import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { loadConfig } from './base/config/config.js';

/** Below the supervisor's own timeout (Dockerfile), in milliseconds. */
const PATIENCE = 4_000;

/**
 * Asks the server of the same environment whether it is ready, and exits with 0 or 1. Supervisors run it to check
 * health in images without curl.
 */
const { HOST, PORT, BASE_PATH, TLS_CERT_FILE } = loadConfig().env;
const local: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const options = {
  host: local[HOST] ?? HOST,
  port: PORT,
  path: `${BASE_PATH}/health/ready`,
  timeout: PATIENCE,
  // The certificate names the public host; this asks on loopback.
  rejectUnauthorized: false,
};
const request = (TLS_CERT_FILE === undefined ? requestHttp : requestHttps)(options, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1);
});
request.on('timeout', () => request.destroy());
request.on('error', () => process.exit(1));
request.end();
