var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { clientOptions, POOL_SIZE, requestLimits } from './connection-options.js';
import { Database } from './database.js';
import { EvictingClient } from './evicting-client.js';
import { Housekeeping } from './housekeeping.js';
import { NamingStrategy } from './naming-strategy.js';
import { Notifications } from './notifications.js';
/** The one DataSource. Entities come from the feature rooms (autoLoadEntities). */
let DatabaseModule = class DatabaseModule {
};
DatabaseModule = __decorate([
    Global(),
    Module({
        imports: [
            TypeOrmModule.forRootAsync({
                inject: [Config],
                useFactory: (config) => {
                    const { connectionString, user, ...options } = clientOptions(config);
                    return {
                        type: 'postgres',
                        ...(connectionString === undefined
                            ? { host: options.host, username: user, database: options.database }
                            : { url: connectionString }),
                        namingStrategy: new NamingStrategy(),
                        autoLoadEntities: true,
                        synchronize: false,
                        retryAttempts: 0,
                        extra: { ...options, ...requestLimits, max: POOL_SIZE, Client: EvictingClient },
                    };
                },
            }),
        ],
        providers: [Database, Housekeeping, Notifications],
        exports: [Database, Housekeeping, Notifications],
    })
], DatabaseModule);
export { DatabaseModule };
//# sourceMappingURL=database.module.js.map