var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var AppModule_1;
import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { AdministrationModule } from './administration/administration.module.js';
import { AuthModule } from './auth/auth.module.js';
import { TokenGuard } from './auth/token.guard.js';
import { ConfigModule } from './config/config.module.js';
import { ContentModule } from './content/content.module.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DirectoryModule } from './directory/directory.module.js';
import { ErrorFilter } from './errors/error.filter.js';
import { NavigationModule } from './navigation/navigation.module.js';
import { ContentGuard } from './negotiation/content.guard.js';
import { OperationsModule } from './operations/operations.module.js';
import { ProcessModule } from './process/process.module.js';
import { ResourcesModule } from './resources/resources.module.js';
import { SearchModule } from './search/search.module.js';
import { RolesGuard } from './security/roles.guard.js';
import { SecurityModule } from './security/security.module.js';
/**
 * The server on one page. A request passes the address rule (create-app), then the guards in this
 * order: who calls, may they, what is sent; then its controller; what is thrown ends in the filter.
 */
let AppModule = AppModule_1 = class AppModule {
    static with(config, features = []) {
        return {
            module: AppModule_1,
            imports: [
                ConfigModule.of(config),
                DatabaseModule,
                SecurityModule,
                ResourcesModule,
                CredentialsModule,
                AuthModule,
                DirectoryModule,
                AdministrationModule,
                ProcessModule,
                ContentModule,
                NavigationModule,
                SearchModule,
                ...features,
                OperationsModule,
            ],
        };
    }
};
AppModule = AppModule_1 = __decorate([
    Module({
        providers: [
            { provide: APP_GUARD, useClass: TokenGuard },
            { provide: APP_GUARD, useClass: RolesGuard },
            { provide: APP_GUARD, useClass: ContentGuard },
            { provide: APP_FILTER, useClass: ErrorFilter },
        ],
    })
], AppModule);
export { AppModule };
//# sourceMappingURL=app.module.js.map