import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { AdministrationModule } from './administration/administration.module.js';
import { AuthModule } from './auth/auth.module.js';
import { TokenGuard } from './auth/token.guard.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { ContentModule } from './content/content.module.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DirectoryModule } from './directory/directory.module.js';
import { ErrorFilter } from './errors/error.filter.js';
import { NavigationModule } from './navigation/navigation.module.js';
import { RequestFormatGuard } from './http/request-format.guard.js';
import { OperationsModule } from './operations/operations.module.js';
import { PagesModule } from './pages/pages.module.js';
import { ProcessModule } from './process/process.module.js';
import { ResourcesModule } from './resources/resources.module.js';
import { SearchModule } from './search/search.module.js';
import { AccessGuard } from './security/access.guard.js';
import { RolesGuard } from './security/roles.guard.js';
import { SecurityModule } from './security/security.module.js';
import { WriteLimitGuard } from './security/write-limit.guard.js';
import { TracingModule } from './tracing/tracing.module.js';

/**
 * The server on one page. A request passes the address rule (create-app), then the guards in this
 * order: who calls, do they have the role, how often do they write, do they have the right, what is sent; then its controller; what is
 * thrown ends in the filter.
 */
@Module({
  providers: [
    { provide: APP_GUARD, useClass: TokenGuard },
    { provide: APP_GUARD, useClass: RolesGuard },
    { provide: APP_GUARD, useClass: WriteLimitGuard },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RequestFormatGuard },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
export class AppModule {
  static with(config: Config, features: Type[] = []): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        TracingModule,
        DatabaseModule,
        SecurityModule,
        ResourcesModule,
        CredentialsModule,
        // The router tries routes in this order: first what portals ask for all day.
        AuthModule,
        NavigationModule,
        SearchModule,
        DirectoryModule,
        ProcessModule,
        ContentModule,
        AdministrationModule,
        PagesModule,
        ...features,
        OperationsModule,
      ],
    };
  }
}
