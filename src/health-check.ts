import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { loadConfig } from './config/config.js';

/** Less than the time that a supervisor gives (Dockerfile), in milliseconds. */
const PATIENCE = 4_000;

/**
 * Asks the server of the same environment whether it is ready: exit code 0 or 1. For supervisors
 * that run a program, in images that have no other that could ask.
 */
const { HOST, PORT, BASE_PATH, TLS_CERT_FILE } = loadConfig().env;
const local: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
const options = {
  host: local[HOST] ?? HOST,
  port: PORT,
  path: `${BASE_PATH}/health/ready`,
  timeout: PATIENCE,
  // The certificate is for the name that people use; this asks its own machine.
  rejectUnauthorized: false,
};
const request = (TLS_CERT_FILE === undefined ? requestHttp : requestHttps)(options, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1);
});
request.on('timeout', () => request.destroy());
request.on('error', () => process.exit(1));
request.end();
