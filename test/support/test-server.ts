import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { loadConfig } from '../../src/base/config/config.js';
import { createApp } from '../../src/create-app.js';
import { hearAnswers } from './every-answer.js';
import { type Answer, type Call, DEMO_PASSWORD, send } from './send.js';
import { createTestDatabase, sysadminPassword, type TestDatabase } from './test-database.js';

export { type Answer, type Call, DEMO_PASSWORD, send } from './send.js';

/** The whole server over HTTP, with its own database. */
export interface TestServer {
  port: number;
  app: NestExpressApplication;
  database: TestDatabase;
  call(path: string, call?: Call): Promise<Answer>;
  /** A token of a login; works for the demonstration users and sysadmin, whose passwords are known. */
  signIn(login: string, password?: string): Promise<string>;
  /** The same, with a proof of identity that stays recent, however long the tests of a file take. */
  signInForLong(login: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * @param env further environment variables
 * @param features modules in addition to those of AppModule, and the preparation of their database
 */
export async function startTestServer(
  env: Record<string, string> = {},
  features: { modules: Type[]; prepare(database: TestDatabase): Promise<void> } = {
    modules: [],
    prepare: () => Promise.resolve(),
  },
): Promise<TestServer> {
  const database = await createTestDatabase();
  // Mails about the tasks of the demonstration would mix with those of a test, which switches them on if it wants them.
  if (env.SMTP_URL !== undefined)
    await database.query(
      `INSERT INTO parameters (key, value) VALUES ('mail.digest', 'false'), ('mail.reminders', 'false')`,
    );
  await features.prepare(database);
  // As the role that owns nothing, where the global setup made it (src/database/runtime-role.ts).
  const config = loadConfig({ LOG_LEVEL: 'silent', ...env }).withDatabase({
    ...database.connection,
    user: 'platform_server',
  });
  const app = await createApp(config, features.modules);
  await app.listen(Number(env.PORT ?? 0), '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const { BASE_PATH, PUBLIC_URL } = config.env;
  const description = await send(port, `${BASE_PATH}/api/v2/openapi.json`, {
    headers: PUBLIC_URL === undefined ? {} : { Host: new URL(PUBLIC_URL).host },
  });
  hearAnswers(app.getHttpServer(), description.text, BASE_PATH);
  const call = (path: string, options?: Call): Promise<Answer> => send(port, path, options);
  const signIn = async (login: string, password?: string): Promise<string> => {
    const known = login === 'sysadmin' ? sysadminPassword() : DEMO_PASSWORD;
    const body = { login, password: password ?? known };
    const answer = await call('/api/v2/authentication', { method: 'POST', body });
    if (answer.status !== 200) throw new Error(`${login} cannot sign in: ${answer.text}`);
    return (answer.body as { token: string }).token;
  };
  return {
    port,
    app,
    database,
    call,
    signIn,
    signInForLong: async (login) => {
      const token = await signIn(login);
      await database.query(
        `UPDATE tokens SET proof_date = now() + interval '1 day' WHERE hash = sha256($1)`,
        [Buffer.from(token)],
      );
      return token;
    },
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
}
