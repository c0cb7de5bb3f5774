import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Config } from '../base/config/config.js';
import { ConfigModule } from '../base/config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import type { AuditContext } from '../security/audit.service.js';
import { commandLine, withTables } from './with-database.js';

/** The context of a command: modules of the server, without HTTP and without the IP allowlist. */
export interface Server {
  config: Config;
  get: INestApplicationContext['get'];
  /** The actor for the audit trail. */
  auditContext: AuditContext;
}

@Module({})
class CommandModule {}

/**
 * Runs a command with modules of the server.
 * @param modules those that the command uses; each imports its own dependencies
 * @throws Error as `withTables` does
 */
export function withServer<T>(modules: Type[], work: (server: Server) => Promise<T>): Promise<T> {
  return withTables(async (config) => {
    const app = await NestFactory.createApplicationContext(
      { module: CommandModule, imports: [ConfigModule.of(config), DatabaseModule, ...modules] },
      { logger: false, abortOnError: false },
    );
    try {
      return await work({ config, get: app.get.bind(app), auditContext: commandLine() });
    } finally {
      await app.close();
    }
  });
}
