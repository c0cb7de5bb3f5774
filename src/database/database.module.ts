import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../base/config/config.js';
import { TracingModule } from '../http/tracing/tracing.module.js';
import { Tracing } from '../http/tracing/tracing.js';
import { clientOptions, POOL_SIZE, requestLimits } from './connection-options.js';
import { Database } from './database.js';
import { EvictingClient } from './evicting-client.js';
import { Housekeeping } from './housekeeping.js';
import { NamingStrategy } from './naming-strategy.js';
import { Notifications } from './notifications.js';

/** The one DataSource. Feature modules register its entities (autoLoadEntities). */
@Global()
@Module({
  imports: [
    TracingModule,
    TypeOrmModule.forRootAsync({
      imports: [TracingModule],
      inject: [Config, Tracing],
      useFactory: (config: Config, tracing: Tracing) => {
        const { connectionString, user, ...options } = clientOptions(config);
        return {
          type: 'postgres' as const,
          ...(connectionString === undefined
            ? { host: options.host, username: user, database: options.database }
            : { url: connectionString }),
          namingStrategy: new NamingStrategy(),
          autoLoadEntities: true,
          synchronize: false,
          retryAttempts: 0,
          extra: { ...options, ...requestLimits, max: POOL_SIZE, Client: EvictingClient, tracing },
        };
      },
    }),
  ],
  providers: [Database, Housekeeping, Notifications],
  exports: [Database, Housekeeping, Notifications],
})
export class DatabaseModule {}
