import { Module } from '@nestjs/common';
import { SecurityModule } from '../security/security.module.js';
import { JournalParts } from './journal-parts.js';
import { ReadBarrier } from './read-barrier.js';

/** The journal of changes, and the barrier that makes cached answers as new as the database. */
@Module({
  imports: [SecurityModule],
  providers: [JournalParts, ReadBarrier],
  exports: [JournalParts, ReadBarrier],
})
export class JournalModule {}
