import { Module } from '@nestjs/common';
import { JournalModule } from '../journal/journal.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { ChangesController } from './changes.controller.js';
import { CursorsService } from './cursors.service.js';
import { FeedService } from './feed.service.js';
import { JournalReader } from './journal-reader.service.js';
import { WaitingConsumers } from './waiting-consumers.js';

/** The feed of changes, for consumers that keep a copy of the data. */
@Module({
  imports: [JournalModule, ResourcesModule],
  controllers: [ChangesController],
  providers: [CursorsService, FeedService, JournalReader, WaitingConsumers],
  exports: [WaitingConsumers],
})
export class ChangesModule {}
