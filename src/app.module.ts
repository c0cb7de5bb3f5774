import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AdministrationModule } from './administration/administration.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ChangesModule } from './changes/changes.module.js';
import type { Config } from './base/config/config.js';
import { ConfigModule } from './base/config/config.module.js';
import { ContentModule } from './content/content.module.js';
import { CredentialsModule } from './auth/credentials/credentials.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { DirectoryModule } from './directory/directory.module.js';
import { JournalModule } from './journal/journal.module.js';
import { LiveCountersModule } from './navigation/live/live-counters.module.js';
import { MailModule } from './mail/mail.module.js';
import { NavigationModule } from './navigation/navigation.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { PagesModule } from './operations/pages/pages.module.js';
import { ProcessModule } from './process/process.module.js';
import { RemindersModule } from './process/mails/reminders.module.js';
import { globalProviders } from './request-pipeline.js';
import { RolesModule } from './roles/roles.module.js';
import { ResourcesModule } from './resources/resources.module.js';
import { ScimModule } from './scim/scim.module.js';
import { SearchModule } from './search/search.module.js';
import { SecurityModule } from './security/security.module.js';
import { SynchronizationModule } from './synchronization/synchronization.module.js';
import { TransferModule } from './transfer/transfer.module.js';

/** The modules of the server, and the guards and the filter that `request-pipeline.ts` lists. */
@Module({ providers: globalProviders })
export class AppModule {
  static with(config: Config, features: Type[] = []): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        DatabaseModule,
        SecurityModule,
        JournalModule,
        ResourcesModule,
        CredentialsModule,
        MailModule,
        // The router tries routes in this order, so the most frequent ones of portals come first.
        AuthModule,
        NavigationModule,
        LiveCountersModule,
        SearchModule,
        DirectoryModule,
        ProcessModule,
        RolesModule,
        ScimModule,
        SynchronizationModule,
        DeliveriesModule,
        RemindersModule,
        ContentModule,
        ChangesModule,
        AdministrationModule,
        TransferModule,
        PagesModule,
        ...features,
        OperationsModule,
      ],
    };
  }
}
