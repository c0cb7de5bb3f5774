import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { loadConfig } from '../../src/config/config.js';
import { createApp } from '../../src/create-app.js';
import type { Description } from './answer-check.js';
import { hearAnswers } from './every-answer.js';
import { createTestDatabase, sysadminPassword, type TestDatabase } from './test-database.js';

export const DEMO_PASSWORD = 'Portal-Demo-2026';

/** An answer as a client sees it. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body, parsed when it is JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies are asserted as they come
  body: any;
  text: string;
}

export interface Call {
  method?: string;
  token?: string;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON; a string or buffer is sent as it is. */
  body?: unknown;
  /** Address to call from, e.g. 127.0.0.9. */
  from?: string;
  /** Address to call; 127.0.0.1 when missing. */
  host?: string;
  /** Calls by HTTPS, and believes this certificate. */
  ca?: string;
}

/** The whole server over HTTP, on a database of its own. */
export interface TestServer {
  port: number;
  app: NestExpressApplication;
  database: TestDatabase;
  call(path: string, call?: Call): Promise<Answer>;
  /** The token of a login; demonstration users and sysadmin know their passwords. */
  signIn(login: string, password?: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * @param env further environment variables
 * @param features modules beside the shipped ones, and what prepares the database for them
 */
export async function startTestServer(
  env: Record<string, string> = {},
  features: { modules: Type[]; prepare(database: TestDatabase): Promise<void> } = {
    modules: [],
    prepare: () => Promise.resolve(),
  },
): Promise<TestServer> {
  const database = await createTestDatabase();
  await features.prepare(database);
  const config = loadConfig({ LOG_LEVEL: 'silent', ...env }).withDatabase(database.connection);
  const app = await createApp(config, features.modules);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const { BASE_PATH, PUBLIC_URL } = config.env;
  const description = await send(port, `${BASE_PATH}/api/v2/openapi.json`, {
    headers: PUBLIC_URL === undefined ? {} : { Host: new URL(PUBLIC_URL).host },
  });
  hearAnswers(app.getHttpServer(), description.body as Description, BASE_PATH);
  const call = (path: string, options?: Call): Promise<Answer> => send(port, path, options);
  return {
    port,
    app,
    database,
    call,
    signIn: async (login, password) => {
      const known = login === 'sysadmin' ? sysadminPassword() : DEMO_PASSWORD;
      const body = { login, password: password ?? known };
      const answer = await call('/api/v2/authentication', { method: 'POST', body });
      if (answer.status !== 200) throw new Error(`${login} cannot sign in: ${answer.text}`);
      return (answer.body as { token: string }).token;
    },
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
}

/** One call of a server at a port of the loopback, on a connection of its own. */
export function send(
  port: number,
  path: string,
  { method, token, headers, body, from, host = '127.0.0.1', ca }: Call = {},
): Promise<Answer> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  const content = body === undefined ? undefined : raw ? body : JSON.stringify(body);
  const all = {
    ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(token === undefined ? {} : { 'X-AUTHENTICATION-KEY': token }),
    ...(content === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(content)) }),
    ...headers,
  };
  return new Promise<Answer>((resolve, reject) => {
    const request = (ca === undefined ? httpRequest : httpsRequest)(
      {
        host,
        port,
        path,
        method,
        headers: all,
        localAddress: from,
        agent: false,
        ca,
        // The name in the certificate, whatever the Host header says.
        servername: 'localhost',
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = String(response.headers['content-type']).startsWith('application/json');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined,
            text,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(content);
  });
}
